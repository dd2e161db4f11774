internal import zoombench

/// The executable `zoombench`, whose code is a module that other programs of this package use, too.
@main
enum Main {
  static func main() async { await CommandProgram.runZoombench() }
}

internal import Foundation

/// An arithmetic-coded JPEG of 75x52 pixels at 4:2:0, for no encoder here writes any.
///
/// Written by libjpeg-turbo: `cjpeg -arithmetic -quality 55`.
package enum ArithmeticJPEG {
  /// The file's bytes.
  /// - Throws: when the text below is not what it was.
  package static func bytes() throws -> [UInt8] {
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw CocoaError(.coderReadCorrupt)
    }
    return [UInt8](data)
  }

  private static let text = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA4KCw0LCQ4NDA0QDw4RFiQXFhQUFiwgIRokNC43NjMuMjI6QVNGOj1OPjIy
    SGJJTlZYXV5dOEVmbWVabFNbXVn/2wBDAQ8QEBYTFioXFypZOzI7WVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZ
    WVlZWVlZWVlZWVlZWVlZWVlZWVn/yQARCAA0AEsDASIAAhEBAxEB/8wACgAQEAUBEBEF/9oADAMBAAIRAxEAPwD/AHLR
    ggmYhRn0HfV0Ddjpz+n5gfKrC8UgxysQ9Vi5911BXh1PX0WIi42LObzzcIlIYxH9VjGpQZsknyr3olVaa8A2f86s9o2i
    VPUOCjkPDKH2s5S8nRAyZ8K3te04r6Dnc9NB45eKmFl3q/0eejRsVBfyJ9RKsBMqhH4IARd2QDrnL3qKUaODL5T6dzQt
    1YhwvO9RTXR5U2hrh0q+Rl4FGP8Au6Gvo9yrAyzmcvCsvJsbC7qaSqX/AC/kL5bVYrZBD8I5a7MlKVxRRrHQFil7YixV
    58vraD0GCAQKyfrGKJ9KsL0kCfh1mCqeKcdhOhf4WvSBIOOhLge7p+hZb+w7EC6wZ9peCNfgACA0hgyFHge311NI6pjn
    ARCnjU2xrJYylVO47ueMaikYZcEtNA2Tg/8AvLZBPQYF297BJP8A+tFjFoJgxKkEbr6Z4fz6k+yvdgfBWxVgLybd+QYo
    PAesOkDrOZbuuOuCHKflWLhg/wCpHmx4T2t1/HOVVJUIwuGnX9AIoDi4178yXqp0avg4PbpNS9fQTZGwgwKXU/yh1HUy
    NGRgLwgfA1dSzC6RbR9Jk3KoPu6QLp7wLajtkjW7pBRPf/dgayDcP8kmk1RHsqkmoKKXGv3yL4NpS4iGCAVkzUyCF8X7
    bOF9ZjxXyboqgqqe5LvhUfzalS1eQkDpVpNMqTeC7wTXRThH9TXpF4mH2mGdjTYAjTtp1U2yZrJNHWX3CLlCPsrrSTnn
    8bQzKcOMQ5xw5ZVS41BTHkIdJ3bFQQ4RB48aau5bS9DB/NerbLc8tV2X918hBPAxHCbLs4igeLdScDTxYWSlewk0wZ78
    ctmYAS7dlSkHGjgArg+b5/8ALDx/SuJaaYOltZ5Vq/ND0NiVOQAwXelVJvMu8tgkN0/dEe33bRm5J2ddLh1V1vuxNZY9
    dpJ/R7r2ie1VVc7epO/XeV2wa4kmZfXrT5xOk7K0esGHu7WOhrAXekiltfJ4HkekaNGB6RK9gtRG551umbC6CxjIuis4
    ZU9j3E8Rnfufxxbv2H76Qt2fzj2KF8WxPoL/ABZ9iyLxARy7T/YfLlR0FQVJXzBWg3BUTgac0mUVDP7U1fyOIwpb6C9W
    qdMl5tEe8LUQ/9k=
    """
}

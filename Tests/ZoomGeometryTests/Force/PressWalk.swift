import ZoomGeometry

/// Every sequence of events that two fingers can make, up to a length, and which laws of a
/// recogniser break on the way.
struct PressWalk<Machine> {
  /// The laws, by their numbers in the list.
  enum Law: Hashable {
    /// FT-P1: a gesture begins at most once, and before it changes.
    case beginsOnce
    /// FT-P2: a gesture is over once, no state comes after, and it is over when no touch is left.
    case endsOnce
    /// FT-P3: nothing goes on while two touches are down.
    case oneFinger
    /// FT-P4: no force after the end, nor without a touch.
    case noForceAfter
  }

  /// Takes an event and returns the states that it made the machine enter.
  let handle: (inout Machine, TouchPhase, [Touch]) throws -> [RecogniserState]
  let state: (Machine) -> RecogniserState
  let force: (Machine) -> Double

  private(set) var broken: Set<Law> = []
  private(set) var gestures = 0
  private(set) var terminals: [RecogniserState: Int] = [:]

  init(
    handle: @escaping (inout Machine, TouchPhase, [Touch]) throws -> [RecogniserState],
    state: @escaping (Machine) -> RecogniserState, force: @escaping (Machine) -> Double
  ) {
    self.handle = handle
    self.state = state
    self.force = force
  }

  mutating func walk(_ machine: Machine, events: Int) throws {
    try walk(machine, down: [], entered: [], events: events)
  }

  private mutating func walk(
    _ machine: Machine, down: Set<Int>, entered: [RecogniserState], events: Int
  ) throws {
    guard events > 0 else { return }
    for phase in TouchPhase.allCases {
      for ids in [[1], [2], [1, 2]]
      where phase == .began
        ? down.isDisjoint(with: ids)
        : down.isSuperset(of: ids)
      {
        var next = machine
        let touches = ids.map { Touch(id: $0, point: ViewPoint(x: 1, y: 1), force: 3) }
        let states = entered + (try handle(&next, phase, touches))
        var left = down
        for id in ids {
          if phase == .began { left.insert(id) }
          if phase == .ended || phase == .cancelled { left.remove(id) }
        }
        judge(next, left, states)
        try walk(next, down: left, entered: left.isEmpty ? [] : states, events: events - 1)
      }
    }
  }

  /// Looks at a machine after an event; `states` are all that the gesture has entered so far.
  private mutating func judge(_ machine: Machine, _ down: Set<Int>, _ states: [RecogniserState]) {
    let state = self.state(machine)
    let begins = states.count { $0 == .began }
    if begins > 1 || states.first == .changed { broken.insert(.beginsOnce) }
    let ends = states.count(where: \.isTerminal)
    if ends > 1 || (ends == 1 && states.last?.isTerminal != true) || (down.isEmpty && ends == 0) {
      broken.insert(.endsOnce)
    }
    if down.count > 1 && (state == .began || state == .changed) { broken.insert(.oneFinger) }
    if (state.isTerminal || down.isEmpty) && force(machine) != 0 { broken.insert(.noForceAfter) }
    if down.isEmpty {
      gestures += 1
      terminals[state, default: 0] += 1
    }
  }
}

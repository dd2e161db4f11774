extension BaselineJPEG {
  /// The 8x8 forward DCT of T.81 A.3.3 in fixed point, scaled up by 8.
  ///
  /// The factorisation is Loeffler, Ligtenberg and Moschytz (ICASSP 1989) with 13-bit constants and
  /// 2 extra bits between the passes, the choice that libjpeg calls "islow".
  enum ForwardDCT {
    /// Transforms 64 level-shifted samples in place; every result lies well inside 16 bits.
    static func transform(_ block: UnsafeMutablePointer<Int32>) {
      for row in 0..<8 {
        pass(block + row * 8, stride: 1, evenShift: -2, oddShift: 11)
      }
      for column in 0..<8 {
        pass(block + column, stride: 8, evenShift: 2, oddShift: 15)
      }
    }

    /// One 8-point transform; products carry 13 bits that `oddShift` takes away.
    @inline(__always)
    private static func pass(
      _ data: UnsafeMutablePointer<Int32>, stride: Int, evenShift: Int32, oddShift: Int32
    ) {
      let s0 = data[0] &+ data[7 * stride]
      let d0 = data[0] &- data[7 * stride]
      let s1 = data[stride] &+ data[6 * stride]
      let d1 = data[stride] &- data[6 * stride]
      let s2 = data[2 * stride] &+ data[5 * stride]
      let d2 = data[2 * stride] &- data[5 * stride]
      let s3 = data[3 * stride] &+ data[4 * stride]
      let d3 = data[3 * stride] &- data[4 * stride]

      let outer = s0 &+ s3
      let outerDifference = s0 &- s3
      let inner = s1 &+ s2
      let innerDifference = s1 &- s2
      if evenShift < 0 {
        data[0] = (outer &+ inner) &<< -evenShift
        data[4 * stride] = (outer &- inner) &<< -evenShift
      } else {
        data[0] = rounded(outer &+ inner, evenShift)
        data[4 * stride] = rounded(outer &- inner, evenShift)
      }
      // 0.541196100, 0.765366865 and 1.847759065 times 8192.
      let turn = (innerDifference &+ outerDifference) &* 4433
      data[2 * stride] = rounded(turn &+ outerDifference &* 6270, oddShift)
      data[6 * stride] = rounded(turn &- innerDifference &* 15137, oddShift)

      // 1.175875602 times 8192, then the four products of the odd half's rotations.
      let common = (d3 &+ d1 &+ d2 &+ d0) &* 9633
      let a = (d3 &+ d0) &* -7373
      let b = (d2 &+ d1) &* -20995
      let c = (d3 &+ d1) &* -16069 &+ common
      let e = (d2 &+ d0) &* -3196 &+ common
      data[7 * stride] = rounded(d3 &* 2446 &+ a &+ c, oddShift)
      data[5 * stride] = rounded(d2 &* 16819 &+ b &+ e, oddShift)
      data[3 * stride] = rounded(d1 &* 25172 &+ b &+ c, oddShift)
      data[stride] = rounded(d0 &* 12299 &+ a &+ e, oddShift)
    }

    @inline(__always)
    private static func rounded(_ value: Int32, _ shift: Int32) -> Int32 {
      (value &+ (1 &<< (shift &- 1))) &>> shift
    }
  }
}

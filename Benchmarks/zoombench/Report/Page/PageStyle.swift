/// The page's style sheet: light and dark, for widths of 320 points and more.
enum PageStyle {
  /// The colours, light and dark.
  ///
  /// The contrast of text to its background is at least 4.5 to 1, of lines and dots 3 to 1 (WCAG 2.2).
  static let palette = """
    :root{color-scheme:light dark;--ground:#fff;--card:#f7f8fa;--rule:#d5d9e0;--grid:#e4e7ec;
    --ink:#16191f;--soft:#4d5562;--zero:#6a7280;--band:#0072b226;--same:#00000012;--slow:#0000001c;
    --bad:#b3261e;--good:#00693e;--calm:#475061;--doubt:#8a5300;--bad-ground:#fdeceb;
    --good-ground:#e4f5ec;--calm-ground:#eceff3;--doubt-ground:#fdf1de;
    --c0:#0067a3;--c1:#c24a00;--c2:#007a58;--c3:#a03a7b;--c4:#7a5c00;--c5:#5a4fcf;--c6:#3d4654;
    --c7:#a8323e;--c8:#75502e}
    @media(prefers-color-scheme:dark){:root{--ground:#12151b;--card:#1a1f27;--rule:#353d4a;
    --grid:#2a313c;--ink:#e9ecf1;--soft:#aab3c0;--zero:#8b95a5;--band:#56b4e93a;--same:#ffffff14;
    --slow:#ffffff1f;--bad:#ff9a90;--good:#6fd8a4;--calm:#c0c8d4;--doubt:#f5bf6b;
    --bad-ground:#3d1a18;--good-ground:#12352580;--calm-ground:#272e39;--doubt-ground:#3a2a10;
    --c0:#5cb8ec;--c1:#ff9d5c;--c2:#3ecfa0;--c3:#ea9cc8;--c4:#e3c34c;--c5:#aea3ff;--c6:#cdd4de;
    --c7:#ff8d97;--c8:#d9b48f}}

    """

  /// The styles of charts, which are also embedded in separate files.
  static let charts = """
    svg text{font-size:11px;fill:var(--ink);font-family:inherit}
    svg .tick,svg .axis-name{fill:var(--soft)}svg path[class]{fill:none}
    .grid{stroke:var(--grid)}.axis{stroke:var(--zero)}
    .zero{stroke:var(--zero);stroke-dasharray:3 3}
    .line{stroke:var(--c);stroke-width:1.8}
    .dashed.s1{stroke-dasharray:8 4}.dashed.s2{stroke-dasharray:2 3}.dashed.s3{stroke-dasharray:12 4}
    .dashed.s4{stroke-dasharray:5 5}.dashed.s5{stroke-dasharray:9 3 2 3}
    .dashed.s6{stroke-dasharray:4 2}.dashed.s7{stroke-dasharray:1 4}.dashed.s8{stroke-dasharray:7 2 2 2}
    .thin{stroke-width:1;opacity:.75}
    .dot{stroke:var(--c);stroke-linecap:round;stroke-width:2.6;stroke-opacity:.75}
    .dot.mid{stroke-width:4.5}.dot.big{stroke-width:7;stroke-opacity:.8}
    svg path.violin{fill:var(--c);fill-opacity:.3;stroke:var(--c);stroke-width:1}
    .quartiles{stroke:var(--ink);stroke-width:3.4}.median{stroke:var(--ink);stroke-width:2}
    .median-line{stroke:var(--ink);stroke-width:1.4}.band{fill:var(--band)}
    .margin-same{fill:var(--same)}.margin-slower{fill:var(--slow)}
    .interval{stroke:var(--tone);stroke-width:2}
    .estimate{stroke:var(--tone);stroke-width:8;stroke-linecap:round}
    .verdict-slower{--tone:var(--bad)}.verdict-faster{--tone:var(--good)}
    .verdict-same{--tone:var(--calm)}.verdict-inconclusive{--tone:var(--doubt)}
    .level{stroke:var(--c1);stroke-width:2}.step{stroke:var(--c1);stroke-dasharray:2 3}
    .map path{shape-rendering:crispEdges}
    .only-narrow text{paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}
    .map-ground{fill:var(--grid)}.map-outline{fill:none;stroke:var(--zero)}
    .s0{--c:var(--c0)}.s1{--c:var(--c1)}.s2{--c:var(--c2)}.s3{--c:var(--c3)}.s4{--c:var(--c4)}
    .s5{--c:var(--c5)}.s6{--c:var(--c6)}.s7{--c:var(--c7)}.s8{--c:var(--c8)}

    """

  static let text =
    palette + """
      *{box-sizing:border-box}
      html{-webkit-text-size-adjust:100%}
      body{margin:0;background:var(--ground);color:var(--ink);
      font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;
      overflow-wrap:anywhere}
      main,header,footer{max-width:1160px;margin:0 auto;padding:0 16px}
      header{padding-top:24px}footer{padding-bottom:40px;color:var(--soft);font-size:13px}
      h1{font-size:24px;margin:0 0 4px}h2{font-size:20px;margin:36px 0 8px;padding-top:12px;
      border-top:1px solid var(--rule)}h3{font-size:16px;margin:24px 0 8px}h4{font-size:14px;margin:0}
      p{margin:6px 0;max-width:75ch}small,.soft{color:var(--soft);font-size:13px}
      a{color:var(--c0)}code{font:13px/1.4 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
      nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 16px;margin:8px 0;padding:0}
      .banner{border:1px solid var(--rule);border-left:6px solid var(--tone);border-radius:8px;
      background:var(--tone-ground);padding:12px 16px;margin:12px 0}
      .banner strong{font-size:18px;color:var(--tone)}
      .slower,.contaminated,.differs{--tone:var(--bad);--tone-ground:var(--bad-ground)}
      .faster,.agrees{--tone:var(--good);--tone-ground:var(--good-ground)}
      .same{--tone:var(--calm);--tone-ground:var(--calm-ground)}
      .inconclusive{--tone:var(--doubt);--tone-ground:var(--doubt-ground)}
      .badge{display:inline-block;white-space:nowrap;border-radius:999px;padding:1px 9px;
      font-size:13px;font-weight:600;color:var(--tone);background:var(--tone-ground);
      border:1px solid var(--tone)}
      .tally{display:flex;flex-wrap:wrap;gap:6px;margin:8px 0 4px;padding:0;list-style:none}
      table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
      caption{text-align:left;color:var(--soft);font-size:13px;padding:4px 0}
      th,td{text-align:right;padding:6px 8px;border-bottom:1px solid var(--rule);vertical-align:top}
      th:first-child,td:first-child,.left{text-align:left}
      thead th{font-size:13px;color:var(--soft);vertical-align:bottom}
      th,td{white-space:nowrap}th[scope=row]{white-space:normal;min-width:90px}
      .cases th[scope=row]{min-width:165px}.cases td.left{white-space:normal;min-width:150px}
      td .reason{display:block;white-space:normal;max-width:200px;margin-left:auto}
      .scroll{overflow-x:auto}
      th button{all:unset;cursor:pointer;font-weight:600}th button:hover{text-decoration:underline}
      th button:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
      th[aria-sort] button::after{content:" \\2191"}
      th[aria-sort=descending] button::after{content:" \\2193"}
      td .more{display:block;color:var(--soft);font-size:13px}
      .charts{display:grid;gap:12px;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr))}
      .maps{display:grid;gap:10px;grid-template-columns:repeat(auto-fill,minmax(92px,1fr))}
      figure{margin:0;border:1px solid var(--rule);border-radius:8px;background:var(--card);
      padding:10px 8px;min-width:0}
      figure.whole{grid-column:1/-1}figure.plain{border:0;background:none;padding:0}
      figure h4{padding:0 6px 4px}figure h4 small{font-weight:400}
      figcaption{padding:2px 6px 0;font-size:13px;color:var(--soft)}
      svg{display:block;width:100%;height:auto;max-width:520px;margin:0 auto}
      svg.only-wide{max-width:none}svg.only-narrow{display:none}

      """ + charts + """
      .legend{display:flex;flex-wrap:wrap;gap:2px 14px;padding:4px 6px 0;font-size:13px}
      .key::before{content:"";display:inline-block;width:14px;height:4px;border-radius:2px;
      margin-right:6px;vertical-align:middle;background:var(--c)}
      details{border:1px solid var(--rule);border-radius:8px;padding:8px 12px;margin:10px 0}
      details .charts{margin-top:10px}summary{cursor:pointer;font-weight:600}
      summary small{font-weight:400}
      dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;font-size:14px;margin:8px 0}
      dt{color:var(--soft)}dd{margin:0}
      .note{color:var(--soft);font-size:13px}
      @media(max-width:700px){main,header,footer{padding-left:14px;padding-right:14px}
      svg.only-wide{display:none}svg.only-narrow{display:block}
      details{padding:8px 8px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:6px}
      table.cards thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
      table.cards tr{display:block;border:1px solid var(--rule);border-radius:8px;margin:8px 0;
      padding:4px 0}table.cards,table.cards tbody,table.cards caption{display:block}
      table.cards td,table.cards th[scope=row]{display:flex;justify-content:space-between;gap:12px;
      border:0;padding:2px 12px;text-align:right}
      table.cards th[scope=row]{text-align:left;font-size:15px;padding:6px 12px}
      table.cards td::before{content:attr(data-label);color:var(--soft);text-align:left;flex:none}
      table.cards td:empty{display:none}table.cards td>div{min-width:0}
      table.cards td,table.cards th[scope=row]{white-space:normal;min-width:0}}
      @media print{details>*{display:block}body{font-size:12px}}

      """
}

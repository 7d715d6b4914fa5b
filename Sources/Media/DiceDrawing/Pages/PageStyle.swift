internal import DiceImaging

/// How pages look: colours for light and dark surroundings and for paper.
enum PageStyle {
  /// Rules for everything but colours, which are variables.
  static let rules: StaticString = """
    *{box-sizing:border-box}
    html{color-scheme:light dark}
    body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,
    "Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
    main{max-width:1180px;margin:0 auto;padding:32px 24px 64px}
    h1{font-size:28px;line-height:1.2;letter-spacing:-.02em;margin:0 0 6px;overflow-wrap:anywhere}
    h2{font-size:20px;letter-spacing:-.01em;margin:44px 0 4px}
    h3{font-size:15px;margin:0 0 2px}
    p{margin:4px 0 12px;color:var(--soft);max-width:76ch}
    code{font:0.93em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
    .facts{display:flex;flex-wrap:wrap;gap:12px;margin:22px 0 8px}
    .fact{flex:1 1 150px;background:var(--card);border:1px solid var(--line);border-radius:12px;
    padding:12px 16px}
    .fact b{display:block;font-size:26px;line-height:1.2;letter-spacing:-.02em;font-weight:650}
    .fact span{color:var(--soft);font-size:13px}
    .grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(440px,100%),1fr));gap:16px;
    margin:14px 0}
    .card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px 18px;
    min-width:0;break-inside:avoid}
    .card p{font-size:13px;margin:2px 0 8px}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-size:14px}
    th,td{padding:6px 9px;text-align:right;white-space:nowrap}
    th{font-weight:600;color:var(--soft);font-size:13px}
    thead th{border-bottom:1px solid var(--line)}
    th:first-child,td:first-child{text-align:left}
    tbody tr+tr td,tbody tr+tr th{border-top:1px solid var(--hair)}
    tr.sum td{font-weight:650;border-top:2px solid var(--line)!important}
    td small{display:block;line-height:1.2;color:var(--soft);font-size:11.5px}
    .heat td,.heat th{text-align:center;padding:7px 6px;min-width:46px}
    .heat td{border:2px solid var(--card);border-radius:8px}
    .heat .zero{color:var(--faint)}
    svg{display:block;width:100%;height:auto}
    .chart text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--soft)}
    .chart .title{fill:var(--ink)}
    .chart .grid-line{stroke:var(--hair);stroke-width:1}
    .chart .axis{stroke:var(--line);stroke-width:1}
    .chart .bar{fill:var(--bar)}
    .chart .mark{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}
    .chart .ideal{stroke:var(--faint);stroke-width:1.5;stroke-dasharray:5 4;fill:none}
    .chart .hit{fill:transparent}
    .legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:13px;margin:6px 0 0;padding:0;
    list-style:none;color:var(--soft)}
    .legend i{display:inline-block;width:14px;height:4px;border-radius:2px;margin-right:6px;
    vertical-align:middle}
    .shots{display:grid;grid-template-columns:repeat(auto-fill,minmax(168px,1fr));gap:14px;
    margin:14px 0}
    .passes{grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr))}
    figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;
    overflow:hidden;break-inside:avoid}
    figcaption{padding:8px 10px 10px;font-size:13px;line-height:1.35}
    figcaption b{font-size:14px}
    figcaption small{display:block;color:var(--soft);font-size:12px;overflow-wrap:anywhere}
    .tag{display:inline-block;border-radius:6px;padding:0 7px;font-weight:650;font-size:13px;
    line-height:1.55}
    .note{border-left:3px solid var(--line);padding:2px 0 2px 12px;color:var(--soft);font-size:13px}
    .ok{color:var(--good)}.bad{color:var(--poor)}
    footer{margin-top:48px;color:var(--soft);font-size:13px}
    @media(max-width:560px){main{padding:20px 14px 40px}h1{font-size:23px}th,td{padding:5px 7px}}
    @media print{body{font-size:11px}main{max-width:none;padding:0}h2{break-after:avoid}
    .card,figure,.fact{border-color:#bbb}.shots{grid-template-columns:repeat(5,1fr)}
    .grid{grid-template-columns:1fr 1fr}.scroll{overflow:visible}table{font-size:10px}
    th,td{padding:3px 5px}}

    """

  private static let light: StaticString = """
    --ground:#f5f6f8;--card:#fff;--ink:#15181d;--soft:#5a6472;--faint:#a2abb8;--line:#d5dae1;
    --hair:#eceff3;--bar:#dfe4eb;--good:#0b7a4b;--poor:#c22f1c;
    """

  private static let dark: StaticString = """
    --ground:#101318;--card:#181c23;--ink:#eef1f5;--soft:#9aa5b4;--faint:#5d6776;--line:#323a46;
    --hair:#232932;--bar:#2c3440;--good:#4cc38a;--poor:#ff8370;
    """

  /// Adds the whole style sheet.
  static func write(to page: inout MarkupWriter) {
    page.raw("<style>\n:root{")
    page.raw(light)
    writeLineColors(to: &page, on: .white)
    page.raw("}\n@media screen and (prefers-color-scheme:dark){:root{")
    page.raw(dark)
    writeLineColors(to: &page, on: PixelColor(rgb: 0x181C23))
    page.raw("}}\n")
    for (index, color) in PixelColor.valueColors.enumerated() {
      page.raw(".v")
      page.number(Double(index + 1))
      page.raw("{background:")
      page.color(color)
      page.raw(";color:")
      page.color(color.textColor)
      page.raw("}\n")
    }
    page.raw(".v0{background:")
    page.color(.otherValueColor)
    page.raw(";color:")
    page.color(PixelColor.otherValueColor.textColor)
    page.raw("}\n")
    page.raw(rules)
    page.raw("</style>\n")
  }

  /// The colours of values for lines on a ground: the palette's, as far as they can be seen there.
  private static func writeLineColors(to page: inout MarkupWriter, on ground: PixelColor) {
    for (index, color) in PixelColor.valueColors.enumerated() {
      page.raw("--v")
      page.number(Double(index + 1))
      page.raw(":")
      page.color(visible(color, on: ground))
      page.raw(";")
    }
  }

  /// A colour moved towards black or white until it can be seen as a line on a ground.
  static func visible(_ color: PixelColor, on ground: PixelColor) -> PixelColor {
    let target: UInt8 = ground.textColor == .white ? 255 : 0
    var result = color
    var share = 0.0
    while result.contrastRatio(with: ground) < 3, share < 1 {
      share += 0.04
      func mixed(_ sample: UInt8) -> UInt8 {
        UInt8((Double(sample) * (1 - share) + Double(target) * share).rounded())
      }
      result = PixelColor(
        red: mixed(color.red), green: mixed(color.green), blue: mixed(color.blue))
    }
    return result
  }
}

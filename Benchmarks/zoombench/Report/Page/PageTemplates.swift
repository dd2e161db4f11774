internal import Mustache

/// The page's Mustache templates; all tags are unescaped, because all values are `Markup`.
enum PageTemplates {
  static func render(_ template: String, _ values: [String: Any]) throws -> Markup {
    Markup(html: try MustacheTemplate(string: template).render(values))
  }

  static let page = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src 'unsafe-inline'; script-src 'sha256-{{{digest}}}'; img-src data:">
    <meta name="generator" content="{{{tool}}}">
    <link rel="icon" href="data:,">
    <title>{{{title}}}</title>
    <style>
    {{{style}}}</style>
    </head>
    <body>
    <header>
    <h1>{{{title}}}</h1>
    {{{lead}}}
    {{#sections}}<nav aria-label="Parts of this page"><ul>
    {{#links}}<li><a href="#{{{id}}}">{{{name}}}</a></li>
    {{/links}}</ul></nav>{{/sections}}
    </header>
    <main>
    {{{content}}}
    {{#notes}}<section aria-labelledby="notes"><h2 id="notes">Left out</h2>
    {{#lines}}<p class="note">{{{line}}}</p>
    {{/lines}}</section>{{/notes}}
    <section aria-labelledby="raw"><h2 id="raw">Raw data</h2>
    <p>{{{data_note}}} <a id="download" download="zoombench-report.json" hidden>\
    Download the raw data as JSON</a></p>
    <noscript><p class="note">The download needs JavaScript; the data is in this file's last \
    script element.</p></noscript>
    </section>
    </main>
    <footer><p>Made by {{{tool}}}. This file is whole: it loads nothing.</p></footer>
    <script type="application/json" id="data">{{{data}}}</script>
    <script>{{{script}}}</script>
    </body>
    </html>

    """

  static let comparison = """
    <section aria-labelledby="{{{id}}}">
    <h2 id="{{{id}}}">Comparison: {{{candidate}}} against {{{base}}}</h2>
    <div class="banner {{{tone}}}"><strong>{{{verdict}}}</strong>
    <p>{{{sentence}}}</p>
    <ul class="tally">{{#tally}}<li><span class="badge {{{style}}}">{{{text}}}</span></li>{{/tally}}</ul>
    {{#contamination}}<p>Not to be trusted: {{{line}}}.</p>
    {{/contamination}}</div>
    {{#notes}}<p class="note">{{{line}}}</p>
    {{/notes}}
    <p class="soft">{{{margins}}}</p>
    {{#forest}}<h3>Changes</h3>
    <figure class="whole">{{{chart}}}<figcaption>Estimated change with its interval. Inner grey: up to \
    {{{margin}}}, never called slower or faster. Outer grey: a change within \
    {{{same}}} is called the same.</figcaption></figure>{{/forest}}
    <h3>Cases</h3>
    <div class="scroll"><table class="cases cards sortable"><caption>Medians of one piece of work. Wall \
    time decides where a program waits, CPU time elsewhere. The change of a case that was measured again is that of the second measurement; \
    “at” is its interval's confidence. “Detectable” is the least change that this many pairs find nine \
    times in ten.</caption>
    <thead><tr><th scope="col">Case</th><th scope="col">Base</th><th scope="col">Candidate</th>\
    <th scope="col">Change, CPU</th><th scope="col">Change, wall</th><th scope="col">Verdict</th>\
    <th scope="col">Pairs</th><th scope="col">Detectable</th>\
    <th scope="col" class="left">Counters and answers</th></tr></thead>
    <tbody>
    {{{rows}}}</tbody></table></div>
    {{#checks}}<h3>Checks of the run itself</h3>
    <div class="scroll"><table class="cards"><caption>Checks with a known result; they show whether the run can be trusted.</caption>
    <thead><tr><th scope="col">Check</th><th scope="col" class="left">Expected</th>\
    <th scope="col">Change, CPU</th><th scope="col">Change, wall</th><th scope="col">Found</th>\
    </tr></thead>
    <tbody>
    {{{rows}}}</tbody></table></div>
    {{#forest}}<figure class="whole">{{{chart}}}</figure>{{/forest}}{{/checks}}
    {{#details}}<h3>Each case</h3>
    {{{content}}}{{/details}}
    <h3>Environment</h3>
    {{{environment}}}
    </section>

    """

  static let bench = """
    <section aria-labelledby="{{{id}}}">
    <h2 id="{{{id}}}">Benchmark: {{{name}}}</h2>
    <div class="banner {{{tone}}}"><strong>{{{verdict}}}</strong><p>{{{sentence}}}</p></div>
    {{#problems}}<p class="note">{{{line}}}</p>
    {{/problems}}
    <h3>Speed-up over naive</h3>
    <div class="scroll"><table class="cards sortable"><caption>How many times faster than a full decode, pair by pair, \
    with a 98 % interval; p95 needs 59 rounds. × floor: time over that of libjpeg-turbo alone on a \
    ready JPEG of the region's MCUs. px / px, bytes / px: pixels decoded and bytes \
    read for each pixel shown.</caption>
    <thead><tr><th scope="col">Picture</th><th scope="col" class="left">Peek</th>\
    <th scope="col" class="left">Source</th><th scope="col">p50</th><th scope="col">p95</th>\
    <th scope="col">× naive</th><th scope="col">× floor</th>\
    <th scope="col">px / px</th><th scope="col">bytes / px</th><th scope="col">Peak memory</th><th scope="col">Agrees</th></tr>\
    </thead>
    <tbody>
    {{{rows}}}</tbody></table></div>
    {{#sizes}}<h3>Latency against picture size</h3>
    <div class="charts">{{{charts}}}</div>{{/sizes}}
    {{#details}}<h3>Each picture</h3>
    {{{content}}}{{/details}}
    <h3>Environment</h3>
    {{{environment}}}
    </section>

    """
}

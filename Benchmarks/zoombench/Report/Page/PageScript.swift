/// The page's script, for sorting and the download; the page is complete without it.
enum PageScript {
  static let text = """
    "use strict";
    for (const table of document.querySelectorAll("table.sortable")) {
      const heads = [...table.tHead.rows[0].cells];
      heads.forEach((head, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
          const descends = head.getAttribute("aria-sort") === "ascending";
          heads.forEach((other) => other.removeAttribute("aria-sort"));
          head.setAttribute("aria-sort", descends ? "descending" : "ascending");
          const key = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
          const body = table.tBodies[0];
          const order = new Intl.Collator("en", { numeric: true });
          const compare = (one, two) => {
            const [a, b] = [key(one), key(two)];
            return a !== "" && b !== "" && isFinite(a) && isFinite(b) ? a - b : order.compare(a, b);
          };
          const rows = [...body.rows].sort(compare);
          body.append(...(descends ? rows.reverse() : rows));
        });
      });
    }
    const data = document.getElementById("data");
    const link = document.getElementById("download");
    if (data && link) {
      link.href = URL.createObjectURL(new Blob([data.textContent], { type: "application/json" }));
      link.hidden = false;
    }

    """

  /// The SHA-256 of `text` in base 64, the only script that the page's policy allows.
  static let digest = "fda4Ofiq4Fujq6EZ4tQL5w1T/o6661Zagk31jkdRtNY="
}

// SPDX-License-Identifier: MIT
// Sorts the table of students by a column, with buttons in its header. Without it the table stays
// in the order of logins.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const headers = [...table.tHead.rows[0].cells];
  const read = (row, i) => row.cells[i].textContent.trim();
  headers.forEach((header, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = header.textContent;
    header.replaceChildren(button);
    button.addEventListener("click", () => {
      const numeric = header.classList.contains("number");
      const ascending = header.getAttribute("aria-sort") !== (numeric ? "descending" : "ascending");
      const down = numeric ? ascending : !ascending;
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [read(a, i), read(b, i)];
        if (!numeric) return x.localeCompare(y);
        const value = (text) => (Number.isNaN(parseFloat(text)) ? -1 : parseFloat(text));
        return value(x) - value(y);
      });
      body.append(...(down ? rows.reverse() : rows));
      for (const other of headers) other.removeAttribute("aria-sort");
      header.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  });
}

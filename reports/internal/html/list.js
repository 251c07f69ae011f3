// A list of rows that open. However many there are, the document holds one page of them.

class List {
  // drawHead gives what a closed row shows, drawBody what it shows when it is open.
  // onOpen is told which item is open: the one that was opened last, or undefined.
  constructor(root, noun, onPage, drawHead, drawBody, onOpen = () => {}) {
    Object.assign(this, { noun, onPage, drawHead, drawBody, onOpen, items: [], first: 0 });
    this.status = element("p", { role: "status" });
    this.rows = element("ul", { class: "rows" });
    this.previous = button("previous page", () => this.turn(-onPage));
    this.next = button("next page", () => this.turn(onPage));
    this.pager = element("div", { class: "pager" }, this.previous, this.next);
    root.append(this.status, this.rows, this.pager);
  }

  show(items) {
    this.items = items;
    this.first = 0;
    this.draw();
  }

  turn(by) {
    this.first += by;
    this.draw();
    this.status.scrollIntoView({ block: "nearest" });
    this.rows.querySelector(".open").focus();
  }

  draw() {
    const shown = this.items.slice(this.first, this.first + this.onPage);
    const pages = this.items.length > this.onPage;
    this.status.textContent = countOf(this.items.length, this.noun) + (pages ? ", shown: " + (this.first + 1).toLocaleString("en") + " to " + (this.first + shown.length).toLocaleString("en") : "");
    this.rows.replaceChildren(...shown.map((item) => this.drawRow(item)));
    this.rows.hidden = shown.length === 0;
    this.pager.hidden = !pages;
    this.previous.disabled = this.first === 0;
    this.next.disabled = this.first + this.onPage >= this.items.length;
  }

  drawRow(item) {
    const head = element("button", { type: "button", class: "open", "aria-expanded": "false", onclick: () => this.toggle(head, item) }, this.drawHead(item));
    return element("li", {}, head);
  }

  // toggle makes the body of a row when it opens and drops it when it closes.
  toggle(head, item) {
    const isOpen = head.getAttribute("aria-expanded") === "true";
    head.setAttribute("aria-expanded", String(!isOpen));
    this.onOpen(isOpen ? undefined : item);
    if (isOpen) {
      head.nextSibling.remove();
      return;
    }
    head.after(this.drawBody(item));
    showMark(head.parentElement);
  }

  // open turns to an item and opens it. It reports whether the list has the item.
  open(item) {
    const at = this.items.indexOf(item);
    if (at < 0) {
      return false;
    }
    this.first = at - (at % this.onPage);
    this.draw();
    const head = this.rows.children[at - this.first].querySelector(".open");
    this.toggle(head, item);
    head.scrollIntoView({ block: "start" });
    head.focus({ preventScroll: true });
    return true;
  }
}

// step moves the focus from row to row, to the first one from elsewhere.
function step(by) {
  const heads = [...document.querySelectorAll(".open")];
  const row = document.activeElement.closest("li");
  const at = row ? heads.indexOf(row.querySelector(".open")) : -1;
  const first = heads.findIndex((head) => head.closest("#results"));
  const next = heads[at < 0 ? first : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

// closeRow closes the row that holds the focus.
function closeRow() {
  const head = document.activeElement.closest("li")?.querySelector(".open");
  if (head?.getAttribute("aria-expanded") === "true") {
    head.click();
    head.focus();
  }
}

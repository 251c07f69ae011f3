package reports_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

func TestHTMLInABrowser(t *testing.T) {
	browser := openBrowser(t)
	inTab := func(name string, run recording, width int64, scheme string, use func(*tab)) {
		t.Run(name, func(t *testing.T) {
			opened := open(t, browser, run, width, scheme)
			use(opened)
			if said := opened.said(); len(said) > 0 {
				t.Errorf("the browser says %q", said)
			}
		})
	}
	inTab("shows the run", recordedRun(), 1400, "light", showsTheRun)
	inTab("filters", recordedRun(), 1400, "light", filters)
	inTab("opens a difference", recordedRun(), 1400, "light", opensADifference)
	inTab("works by keyboard", recordedRun(), 1400, "light", worksByKeyboard)
	for _, width := range []int64{1400, 400} {
		for _, scheme := range []string{"light", "dark"} {
			name := fmt.Sprintf("%d-%s", width, scheme)
			inTab("is legible "+name, recordedRun(), width, scheme, func(b *tab) { isLegible(b, name) })
		}
	}
	inTab("keeps its state in its address", recordedRun(), 1400, "light", keepsItsState)
	inTab("shows changed verdicts first", recordedRun(), 1400, "light", sorts)
	inTab("shows what an update changes", recordedRun(), 1400, "light", showsAnUpdate)
	inTab("copies commands", recordedRun(), 1400, "light", copies)
	inTab("passes axe-core", recordedRun(), 1400, "light", passesAxe)
	inTab("is printed", recordedRun(), 1400, "light", isPrinted)
	inTab("holds many results", manyResults(20_000), 1400, "light", holdsMany)
	inTab("shows hostile texts as texts", of(markup), 1400, "light", showsTexts)
	inTab("is whole without results", recording{}, 400, "dark", isWhole)
	t.Run("loads nothing", func(t *testing.T) { loadsNothing(open(t, browser, recordedRun(), 1400, "light")) })
}

// loadsNothing also checks that the tests above would notice what a page logs, throws and loads.
func loadsNothing(b *tab) {
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("fetch('http://127.0.0.1:9/').then(() => 'loaded', () => 'refused')",
		chromedp.EvalAwaitPromise)); err != nil {
		b.Fatal(err)
	}
	b.script("console.error('logged'); setTimeout(() => { throw new Error('thrown'); }); const s = document.createElement('script'); " +
		"s.textContent = 'window.forged = 1'; document.body.append(s)")
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("new Promise((done) => setTimeout(() => done(true)))",
		chromedp.EvalAwaitPromise)); err != nil {
		b.Fatal(err)
	}
	b.holds("window.forged === undefined", "only the script of the report runs")
	said := strings.Join(b.said(), "\n")
	for _, wanted := range []string{"console.error", "thrown", "violates the following Content Security Policy directive"} {
		if !strings.Contains(said, wanted) {
			b.Errorf("%q is not in what the browser says: %s", wanted, said)
		}
	}
	if strings.Contains(said, "loads ") {
		b.Errorf("the page loads something: %s", said)
	}
}

const rows, firstRow = "#results .rows > li", "#results .open"

func showsTheRun(b *tab) {
	if title := b.text("h1"); !slices.Equal(title, []string{"Failed, narrowed"}) {
		b.Errorf("title %q", title)
	}
	facts := strings.Join(b.text(".run div"), "\n")
	for _, wanted := range []string{
		"kubernetes cases/kubernetes/suite.yaml",
		"2026-05-04 09:30 UTC",
		"0123456789ab with changes that are not committed",
		"--no-rules --run=replicas|volumes --shard 1/2",
		"v0.1.0",
		"the job that ran it",
	} {
		if !strings.Contains(strings.ReplaceAll(facts, "\n", " "), wanted) {
			b.Errorf("%q is not in the facts of the run: %q", wanted, facts)
		}
	}
	b.holds("document.title.startsWith('✗ failed, narrowed · ') && "+
		"document.querySelector('link[rel=icon]').href.includes('stroke-dasharray')",
		"title and icon show a narrowed run that failed")
	b.holds("document.querySelectorAll('svg.verdicts rect').length > 4 && document.querySelectorAll('.classes button').length "+
		"> 4 && document.querySelectorAll('.covered .reached').length === 3", "verdicts, kinds and classes, and coverage are drawn")
	b.holds("document.getElementById('cases').compareDocumentPosition(document.querySelector('main')) === Node.DOCUMENT_POSITION_PRECEDING",
		"the data follows the page")
	want := []string{
		"Problems of this run",
		"Differences and faults by cause",
		"What to do next",
		"Left out",
		"Kinds, versions and verdicts",
		"Results",
		"Time for an input",
		"What the cases do not prove",
	}
	if headings := b.text("h2"); !slices.Equal(headings, want) {
		b.Errorf("sections %q, wanted %q", headings, want)
	}
	attention := 0
	for _, r := range recordedRun().results {
		if r.Verdict == words.Different || r.Verdict == words.Unstable || r.Verdict == words.Faulted || len(r.Unmet) > 0 {
			attention++
		}
	}
	if shown := b.text(rows); len(shown) != attention {
		b.Errorf("%d results at first, wanted the %d that need attention", len(shown), attention)
	}
	b.holds("document.querySelectorAll('svg rect.native').length > 0 && document.querySelectorAll('svg rect.declarative').length > 0",
		"the times of both sides are drawn")
	b.holds("[...document.querySelectorAll('section')].every((s) => s.innerText.split('\\n').length > 1)", "no section is empty")
}

func filters(b *tab) {
	every := recordedRun()
	b.click("#reset")
	if shown := b.text(rows); len(shown) != len(every.results) {
		b.Errorf("%d results of %d", len(shown), len(every.results))
	}
	for _, verdict := range words.Verdicts() {
		b.choose("verdict", string(verdict))
		if shown, want := b.text(rows), every.footer.Summary.Verdicts[verdict]; len(shown) != want {
			b.Errorf("%s: %d results, wanted %d", verdict, len(shown), want)
		}
	}
	b.choose("verdict", "")
	b.choose("search", "HANGING   apps/v1")
	if shown := b.text(rows); len(shown) != 1 || !strings.Contains(shown[0], "a hanging validator") {
		b.Errorf("the search for words gives %q", shown)
	}
	b.choose("search", "nothing has this")
	if shown := b.text("#results [role=status]"); !slices.Equal(shown, []string{"0 results"}) {
		b.Errorf("an empty list says %q", shown)
	}
	b.click("#reset")
	for _, effect := range words.Effects() {
		b.choose("effect", string(effect))
		if shown, want := b.text(rows), every.footer.Summary.Effects[effect]; len(shown) != want {
			b.Errorf("%s: %d results, wanted %d", effect, len(shown), want)
		}
	}
	// Each number of the matrix and each total leads to that many results.
	numbers := eval[int](b, "document.querySelectorAll('[data-filter]').length")
	for i := range numbers {
		number := eval[string](b, fmt.Sprintf("(() => { const e = document.querySelectorAll('[data-filter]')[%d]; e.click(); "+
			"return (e.querySelector('b') ?? e).innerText; })()", i))
		if shown := b.text(rows); fmt.Sprint(len(shown)) != number {
			b.Errorf("number %d of the page is %s and leads to %d results", i, number, len(shown))
		}
	}
	if numbers < 10 {
		b.Errorf("only %d numbers were tried", numbers)
	}
}

func opensADifference(b *tab) {
	b.clickOn("#causes .open", "admits")
	sides := b.text("#causes .sides td")
	if len(sides) < 2 || !strings.Contains(sides[0], "spec.replicas") ||
		!strings.Contains(sides[0], "must be greater than or equal to 0") || sides[1] != "no such error" {
		b.Errorf("both sides: %q", sides)
	}
	if marked := b.text("#causes .object .marked"); len(marked) != 1 || !strings.Contains(marked[0], "replicas: -1") {
		b.Errorf("marked in the object: %q", marked)
	}
	b.click("#causes .detail button")
	if shown := b.text(rows); len(shown) != 1 || !strings.Contains(shown[0], "apps/v1beta1 Deployment") {
		b.Errorf("results of the first cause: %q", shown)
	}
	b.click("#chosen button")
	b.choose("class", string(difference.Detail))
	b.choose("search", "everything at once")
	b.click(firstRow)
	if marked := b.text("#results .sides mark"); !slices.Contains(marked, "10") {
		b.Errorf("the word that differs is not marked: %q", marked)
	}
	if shown := b.text("#results .object"); len(shown) != 2 {
		b.Errorf("an update shows both objects, not %d", len(shown))
	}
	b.click(firstRow)
	if shown := b.text("#results .detail"); len(shown) != 0 {
		b.Errorf("a row does not close: %q", shown)
	}
}

// keepsItsState checks that the URL of each state leads back to it.
func keepsItsState(b *tab) {
	page := eval[string](b, "location.href")
	b.choose("verdict", "equal")
	b.choose("search", "nothing")
	address := eval[string](b, "location.href")
	visit := func(address string) {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	}
	visit(page)
	visit(address)
	b.holds("document.getElementById('verdict').value === 'equal' && document.getElementById('search').value === 'nothing'",
		"the filter is in the address "+address)
	visit(page)
	b.click(firstRow)
	opened, address := b.text(firstRow)[0], eval[string](b, "location.href")
	if !strings.Contains(address, "#result=") {
		b.Errorf("the address of a result is %q", address)
	}
	visit(address)
	if shown := b.text("#results .open[aria-expanded=true]"); !slices.Equal(shown, []string{opened}) {
		b.Errorf("%s shows %q, wanted %q", address, shown, opened)
	}
	visit(page + "#result=gone")
	if status := b.text("#results [role=status]"); !slices.Equal(status, []string{"This report does not hold the result gone"}) {
		b.Errorf("a result of another report: %q", status)
	}
	visit(page)
	b.click("#causes .open")
	b.clickOn("#causes .detail button", "show ")
	visit(eval[string](b, "location.href"))
	b.holds("!document.getElementById('chosen').hidden", "a cause is in the address")
	b.click("#reset")
	b.script("history.back()")
	b.do(chromedp.WaitVisible(chromedp.CSS("#chosen")))
}

func sorts(b *tab) {
	b.click("#reset")
	signs := eval[[]string](b, "[...document.querySelectorAll('#results .open')].map((e) => e.querySelector('.badge').innerText "+
		"+ ' ' + e.querySelector('.effect').innerText)")
	changed := slices.IndexFunc(signs, func(s string) bool { return s == "different admits" })
	same := slices.IndexFunc(signs, func(s string) bool { return s == "different none" })
	if changed < 0 || same < 0 || changed > same {
		b.Errorf("changed verdicts do not come first: %q", signs)
	}
	b.choose("sort", "case")
	if ids := b.text("#results .grow"); !slices.IsSorted(ids) {
		b.Errorf("not sorted by case: %q", ids)
	}
	b.choose("causes-sort", "found")
	b.holds("document.querySelector('#causes .times').innerText === '2 ×'", "the most frequent cause comes first")
	// Only unexplained differences are red.
	b.choose("verdict", "excepted")
	b.script("[...document.querySelectorAll('#results .open')].forEach((e) => e.click())")
	b.holds("document.querySelectorAll('#results .bad').length === 0 && document.querySelectorAll('#results .badge').length > 0",
		"an accepted difference is not red")
}

func showsAnUpdate(b *tab) {
	b.click("#reset")
	b.choose("search", "everything at once")
	b.click(firstRow)
	if added := b.text("#results .diff .added"); len(added) != 1 || !strings.Contains(added[0], "+   replicas: -1") {
		b.Errorf("added: %q", added)
	}
	if removed := b.text("#results .diff .removed"); len(removed) != 1 || !strings.Contains(removed[0], "-   replicas: ") {
		b.Errorf("removed: %q", removed)
	}
}

func copies(b *tab) {
	b.click("#reset")
	b.choose("search", "everything at once")
	b.click(firstRow)
	commands := b.text("#results .command code")
	if len(commands) != 2 ||
		!strings.HasPrefix(commands[0], "diffrun run --no-rules --run '^cases/kubernetes/apps/deployment\\.yaml#everything at "+
			"once$' cases/kubernetes/suite.yaml") || !strings.HasPrefix(commands[1], "diffrun accept run.json --why ") {
		b.Errorf("commands %q", commands)
	}
	b.script("window.copied = []; navigator.clipboard.writeText = async (text) => window.copied.push(text); " +
		"[...document.querySelectorAll('#results .copy')].forEach((e) => e.click())")
	b.do(chromedp.WaitVisible(chromedp.CSS("#results .copy")))
	b.holds("window.copied.length === 4 && window.copied[0] === document.querySelector('#results .command code').innerText "+
		"&& window.copied[2].includes('#result=') && window.copied[3].startsWith('apiVersion: apps/v1')",
		"the buttons copy command, exception, link and object")
	b.holds("document.querySelector('#results .facts a').href === 'https://code.example.com/blob/0123456789abcdef/cases/"+
		"kubernetes/apps/deployment.yaml#L12'", "a case links to its source")
}

// passesAxe checks the accessibility of the page, with a difference and an update open.
func passesAxe(b *tab) {
	file := os.Getenv(axeFile)
	switch {
	case file == "" && os.Getenv(browserRequired) != "":
		b.Fatalf("%s is not set: bash .ci/axe installs axe-core and prints its path", axeFile)
	case file == "":
		b.Skipf("SKIPPED: %s is not set, so axe-core does not look at the HTML report: bash .ci/axe installs it and prints its path",
			axeFile)
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	b.click("#reset")
	b.choose("search", "everything at once")
	b.click(firstRow)
	b.click("#causes .open")
	b.script(string(axe))
	found, err := chromedp.Run(b.ctx,
		chromedp.Evaluate[[]string](`axe.run().then((r) => [r.passes.length + " rules", ...r.violations.map((v) => v.id + ": `+
			`" + v.help + ": " + v.nodes.map((n) => n.html).join(" "))])`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatal(err)
	}
	if len(found) != 1 || len(found[0]) < len("10 rules") {
		b.Errorf("axe-core finds %s", strings.Join(found, "\n"))
	}
}

func isPrinted(b *tab) {
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		b.Fatal(err)
	}
	b.holds("[...document.querySelectorAll('form, .pager, .keys')].every((e) => !e.checkVisibility()) && "+
		"document.querySelector('#causes .line').checkVisibility()", "what is printed has the causes and nothing to press")
}

func worksByKeyboard(b *tab) {
	focus := func(is, after string) {
		b.Helper()
		b.holds("document.activeElement.matches("+fmt.Sprintf("%q", is)+")", after)
	}
	b.press("/")
	focus("#search", "/ goes to the search")
	b.holds("document.activeElement.value === ''", "/ is not typed")
	b.do(chromedp.KeyEvent("hanging"))
	if shown := b.text(rows); len(shown) != 1 {
		b.Errorf("typed search gives %q", shown)
	}
	b.do(chromedp.KeyEvent(kb.Escape))
	b.holds("document.getElementById('search').value === '' && document.querySelectorAll("+fmt.Sprintf("%q", rows)+").length > 1",
		"Escape empties the search")
	b.holds("document.activeElement.blur() === undefined", "the focus leaves the search")
	b.do(chromedp.KeyEvent("jjjk"))
	focus("#results li:nth-child(2) > .open", "j and k move from result to result")
	b.do(chromedp.KeyEvent(kb.Enter))
	focus("[aria-expanded=true]", "Enter opens")
	b.do(chromedp.KeyEvent(kb.Tab + kb.Escape))
	focus("#results li:nth-child(2) > .open[aria-expanded=false]", "Escape inside of a result closes it and returns to it")
	// Every control can be reached with Tab.
	b.script("document.activeElement.blur(); window.scrollTo(0, 0); document.body.tabIndex = -1; document.body.focus(); " +
		"window.reached = new Set(); document.addEventListener('focusin', (e) => window.reached.add(e.target))")
	usable := "[...document.querySelectorAll('button, input, select, [tabindex=\"0\"]')].filter((e) => e.checkVisibility() && !e.disabled)"
	b.do(chromedp.KeyEvent(strings.Repeat(kb.Tab, eval[int](b, usable+".length")+5)))
	if missed := eval[[]string](b, usable+".filter((e) => !window.reached.has(e)).map((e) => e.outerHTML)"); len(missed) > 0 {
		b.Errorf("Tab does not reach %q", missed)
	}
}

// contrast finds texts with less contrast to their background than level AA of WCAG 2 requires.
const contrast = `(() => {
  const rgb = (color) => color.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const color = rgb(getComputedStyle(e).backgroundColor);
      if (color[3] !== 0) return color;
    }
    return [255, 255, 255];
  };
  const low = [];
  let looked = 0;
  for (const e of document.body.querySelectorAll("*")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !e.checkVisibility() || e.disabled || e.closest("script, svg")) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    looked++;
    if (ratio < 4.5) low.push(ratio.toFixed(2) + " " + e.className + " " + e.textContent.slice(0, 40));
  }
  return looked < 100 ? ["only " + looked + " texts"] : low;
})()`

func isLegible(b *tab, name string) {
	b.picture(name + "-closed")
	b.clickOn("#causes .open", "spec.minReadySeconds")
	b.picture(name + "-difference")
	b.clickOn("#causes .open", "spec.minReadySeconds")
	b.click("#reset")
	b.script("[...document.querySelectorAll('.open')].forEach((e) => e.click())")
	if low := eval[[]string](b, contrast); len(low) > 0 {
		b.Errorf("too little contrast: %q", low)
	}
	b.holds("document.documentElement.scrollWidth <= document.documentElement.clientWidth", "the page does not scroll sideways")
}

// manyResults is a run of this many results of some kinds, most of them of one cause.
func manyResults(n int) recording {
	run := recording{}
	for i := range n {
		c := &harness.Case{ID: fmt.Sprintf("corpus.jsonl:%d", i), Source: fmt.Sprintf("corpus.jsonl:%d", i), Object: widget(i)}
		verdict, pairs := words.Equal, []equivalence.Pair(nil)
		if i%3 > 0 {
			verdict = words.Different
			pairs = append(pairs, equivalence.Pair{
				Native: invalid("spec.size", i, fmt.Sprintf("must be less than %d", i)),
				Class:  difference.TooLoose,
			})
		}
		result := paired(c, deployment, verdict, pairs...)
		result.Native.Elapsed = time.Duration(1+i%997) * time.Microsecond
		run.results = append(run.results, result)
	}
	return run.summed()
}

func widget(i int) map[string]any {
	return map[string]any{
		"apiVersion": "example.com/v1",
		"kind":       "Widget",
		"metadata":   map[string]any{"name": fmt.Sprintf("widget-%d", i)},
		"spec":       map[string]any{"size": int64(i)},
	}
}

func holdsMany(b *tab) {
	bounded := func(when string) {
		b.Helper()
		if nodes := eval[int](b, "document.getElementsByTagName('*').length"); nodes > 2_000 {
			b.Errorf("%s the document has %d elements", when, nodes)
		}
	}
	bounded("at first")
	b.click("#reset")
	if status := b.text("#results [role=status]"); !slices.Equal(status, []string{"20,000 results, shown: 1 to 100"}) {
		b.Errorf("it says %q", status)
	}
	bounded("with all results")
	b.click("#results .pager button:last-child")
	if first := b.text(firstRow)[0]; !strings.Contains(first, "corpus.jsonl:151") {
		b.Errorf("the second page begins with %q", first)
	}
	b.choose("search", "corpus.jsonl:19997")
	if shown := b.text(rows); len(shown) != 1 {
		b.Errorf("the search gives %q", shown)
	}
	b.click(firstRow)
	if why := b.text("#results .detail"); len(why) != 1 ||
		!strings.Contains(why[0], "The object is not shown: the page holds the objects of 20 cases like this one.") {
		b.Errorf("it does not say why there is no object: %q", why)
	}
	if causes := b.text("#causes .rows > li"); len(causes) != 1 || !strings.Contains(causes[0], "13,333 ×") {
		b.Errorf("causes: %q", causes)
	}
}

const markup = `</script><script>window.forged = 1</script><img src=x onerror="window.forged = 1"><b id=forged>b</b> ` +
	`${forged} {{.}} <!-- <script> ]]>`

func showsTexts(b *tab) {
	b.click("#reset")
	b.script("[...document.querySelectorAll('.open')].forEach((e) => e.click())")
	b.holds("window.forged === undefined && !document.querySelector('#forged, img')", "no text becomes an element or a script")
	if ids := b.text("#results .open .grow"); !slices.Contains(ids, markup) {
		b.Errorf("the texts are %q", ids)
	}
	if title := b.text(".facts dd"); !slices.Contains(title, markup) {
		b.Errorf("facts are %q", title)
	}
}

func isWhole(b *tab) {
	if headings := b.text("h2"); !slices.Equal(headings, []string{"What to do next"}) {
		b.Errorf("a run without results has the sections %q", headings)
	}
}

package page_test

import (
	"fmt"
	"strings"
	"testing"
)

// plan300 is a plan of 300 tasks whose titles are longer than a node, in several scripts.
func plan300() files {
	store := largeStore(300)
	for i, title := range []string{"登录页面的错误信息必须对两种情况相同并且翻译成所有语言", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦 families of emoji stay whole 👩‍👩‍👧‍👦", "WWWWWWWWWWWWWWWWWWWWWWWWWWWW", "iiiiiiiiiiiiiiiiiiiiiiii"} {
		store[fmt.Sprintf("tasks/task-%05d", 20+i)]["spec"].(map[string]any)["title"] = title
	}
	return store
}

// zooms makes sure that the graph of a large plan can be seen whole and near, by key, button and wheel,
// and that no text leaves its node.
func zooms(t *testing.T, d *driver) {
	s := d.openShop(t, plan300(), nil)
	p := d.open(t, s, wide)
	p.at("#screen=plan&view=graph&plan=large&ref=task%2Ftask-00020")
	p.wait("the graph is drawn", `document.querySelectorAll("#canvas .node").length > 20`)
	const seen = `(b => [...document.querySelectorAll("#canvas .node")].filter(n => (r => r.right <= b.right + 1 && r.bottom <= b.bottom + 1 && r.left >= b.left - 1 && r.top >= b.top - 1)(n.getBoundingClientRect())).length / document.querySelectorAll("#canvas .node").length)(document.querySelector("#canvas").getBoundingClientRect())`
	const height = `document.querySelector("#canvas .node rect").getBoundingClientRect().height`
	atOpen, tall := eval[float64](p, seen), eval[float64](p, height)
	if tall < 24 {
		t.Errorf("nodes are %.0f px high when the graph opens; 24 can be hit", tall)
	}
	p.press("0")
	if got := eval[float64](p, seen); got < 1 {
		t.Errorf("key 0 shows %.0f %% of the nodes, want all", 100*got)
	}
	t.Logf("seen at the beginning: %.0f %%, nodes %.0f px high; after 0: nodes %.0f px high", 100*atOpen, tall, eval[float64](p, height))
	before := eval[float64](p, height)
	p.press("+")
	if got := eval[float64](p, height); got <= before {
		t.Errorf("+ makes nodes %.1f px high, before %.1f", got, before)
	}
	eval[bool](p, `(document.querySelector('#zoom [aria-label="Zoom out"]').click(), true)`)
	if got := eval[float64](p, height); got > before*1.01 {
		t.Errorf("the button makes nodes %.1f px high, want %.1f", got, before)
	}
	// The point below the wheel stays.
	const wheel = `(() => { const box = document.querySelector("#canvas"), n = document.querySelector("#canvas .sel"), at = () => n.getBoundingClientRect(), a = at();
		for (let i = 0; i < 8; i++) box.dispatchEvent(new WheelEvent("wheel", {deltaY: -60, ctrlKey: true, bubbles: true, cancelable: true, clientX: a.x, clientY: a.y}));
		const b = at(); return b.height / a.height; })()`
	if got := eval[float64](p, wheel); got < 2 {
		t.Errorf("eight turns of the wheel zoom by %.2f", got)
	}
	// What is drawn again keeps the scale.
	near := eval[float64](p, height)
	s.write("tasks/task-00023", map[string]any{"spec": map[string]any{"title": "Changed", "workPlan": "large", "phase": "stage 0", "dependsOn": []string{"task-00016", "task-00003"}, "expectedOutput": "x"}})
	p.wait("the change is drawn", `document.querySelector("#canvas").textContent.includes("Changed")`)
	if got := eval[float64](p, height); got != near {
		t.Errorf("a change makes nodes %.1f px high, before %.1f", got, near)
	}
	const wider = `[...document.querySelectorAll("#canvas .node")].filter(n => [...n.querySelectorAll("text")].some(e => e.getBoundingClientRect().right > n.querySelector("rect").getBoundingClientRect().right)).map(n => n.textContent)`
	if got := eval[[]string](p, wider); len(got) > 0 {
		t.Errorf("text is wider than its node: %q", got)
	}
	if got := eval[int](p, `document.querySelectorAll("#canvas .edge.crit").length`); got == 0 {
		t.Error("no edge of the critical path is marked")
	}
	if text := p.text("#canvas"); !strings.Contains(text, "👩‍👩‍👧‍👦") {
		t.Errorf("a family of emoji is not whole: %q", text[:min(400, len(text))])
	}
	eval[bool](p, axe(t)+"; true")
	for _, l := range []look{wide, {1400, 900, true}, phone} {
		p.show(l)
		p.audit(t, "a plan of 300 tasks "+l.String())
	}
	p.quiet()
}

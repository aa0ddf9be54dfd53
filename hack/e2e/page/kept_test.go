package page_test

import "testing"

// kept makes sure that a key is drawn before the next frame, and that what it does not change is not made anew:
// that, and not the machine, is what a key costs in a large plan.
func kept(t *testing.T, d *driver) {
	p := d.open(t, d.demo, wide)
	p.at("#screen=plan")
	p.wait("all is drawn", `document.querySelector("#canvas .node")`)
	press := `window.key = key => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
		window.made = [...document.querySelectorAll("#canvas svg, #stages .stage, #needs-list .card")];
		made.length`
	if n := eval[int](p, press); n < 7 {
		t.Fatalf("there are %d parts to look at", n)
	}
	for _, step := range []struct{ key, drawn string }{
		{"v", `document.querySelector("#canvas .leaf")`}, {"v", `document.querySelector("#canvas .board")`},
		{"v", `document.querySelector("#canvas .node")`}, {"3", `document.querySelector("#list table")`}, {"2", `document.querySelector("#main").dataset.screen === "plan"`},
	} {
		if !eval[bool](p, `key("`+step.key+`"), !!(`+step.drawn+`)`) {
			t.Errorf("after %q is not true at once: %s", step.key, step.drawn)
		}
		p.settle()
	}
	if n := eval[int](p, `made.filter(e => !e.isConnected).length`); n > 0 {
		t.Errorf("%d of %s parts were made anew though nothing changed", n, eval[string](p, `"" + made.length`))
	}
	p.quiet()
}

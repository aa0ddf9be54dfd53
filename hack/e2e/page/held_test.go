package page_test

import (
	"fmt"
	"testing"
)

// held makes sure that a held task is seen as one, and that only Release or an answer ends it.
func held(t *testing.T, d *driver) {
	s := d.openShop(t, demo(), nil)
	p := d.open(t, s, wide)
	p.at("#screen=now&ref=task/rate-limit")
	p.wait("it is not held", `document.querySelector("#panel h2").textContent.includes("Rate limits") && !document.querySelector("#panel .held")`)
	button := func(label string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("#panel .acts button")].filter(b => b.textContent.startsWith(%q))`, label)
	}
	hold := func(question string) {
		p.wait("it may be held, and not released", button("Hold")+".length === 1 && "+button("Release")+".length === 0")
		p.press("h")
		p.wait("it is asked what for", `document.querySelector("#over").open`)
		eval[bool](p, `(document.querySelector("#over .b.p").click(), true)`)
		p.settle()
		if !eval[bool](p, `document.querySelector("#over").open`) {
			t.Fatal("an empty text is sent")
		}
		p.press(question)
		eval[bool](p, `(document.querySelector("#over .b.p").click(), true)`)
		p.wait("the band says what holds it", fmt.Sprintf(`document.querySelector("#panel .held")?.textContent.includes("Held until answered") && document.querySelector("#panel .held").textContent.includes(%q)`, question))
	}
	hold("How many tries?")
	p.wait("its node is marked", `document.querySelector("#canvas .node.held[data-ref='task/rate-limit']")?.textContent.includes("held until answered")`)
	if n := eval[int](p, button("Hold")+".length"); n != 0 {
		t.Error("a held task is held once more")
	}
	eval[bool](p, `(document.querySelector("#panel .held .acts button:last-child").click(), true)`)
	p.wait("it is released at once, without a dialog", `!document.querySelector("#panel .held") && !document.querySelector("#over").open && !document.querySelector("#canvas .node.held")`)

	hold("And after ten?")
	p.at("#screen=plan&view=outline")
	p.wait("its row is marked", `document.querySelector(".leaf[data-ref='task/rate-limit']")?.textContent.includes("held until answered")`)
	p.at("#screen=now&ref=task/rate-limit")
	p.wait("it may be answered", `document.querySelector("#panel .held .acts button")?.textContent.startsWith("Answer")`)
	eval[bool](p, `(document.querySelector("#panel .held .acts button").click(), true)`)
	p.press("Then lock it.")
	eval[bool](p, `(document.querySelector("#over .b.p").click(), true)`)
	p.wait("an answer releases it", `!document.querySelector("#panel .held")`)
	p.quiet()
}

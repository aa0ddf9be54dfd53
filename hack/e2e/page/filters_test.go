package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// filters makes sure that lists, board and graph show what is filtered, that the address says it, and that a filter
// without hits says so and can be cleared.
func filters(t *testing.T, d *driver) {
	s := d.openShop(t, demo(), func(s *shop) {
		s.denied(firstSession)
		s.denied(secondSession)
		s.idumb("label", "task/login-api", "task/rate-limit", "team=web")
		s.idumb("mem", "save", "staging", "Staging is reset every Monday")
		s.idumb("mem", "save", "prod", "Production is in Oslo")
		s.idumb("label", "mem/prod", "area=ops")
	})
	p := d.open(t, s, wide)
	rows := func(selector string) string {
		return eval[string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter(e => e.getClientRects().length).map(e => e.dataset.ref.replace(/.*\//, "")).sort().join(" ")`, selector))
	}
	const tasks = "#canvas .leaf, #canvas .node:not(.off)"
	for _, l := range []look{wide, phone} {
		p.show(l)
		for _, row := range []struct{ by, tasks string }{
			{"find=token", "token-lib"},
			{"find=form+login", "login-form"},
			{"find=team%3Dweb", "login-api rate-limit"},
			{"agent=claude-7f", "token-lib"},
			{"stage=ship", "docs release"},
			{"state=active", "mailer signup-api token-lib"},
			{"label=team%3Dweb", "login-api rate-limit"},
			{"label=team%3Dweb&find=rate", "rate-limit"},
		} {
			for _, view := range []string{"outline", "board", "graph"} {
				p.at("#screen=plan&view=" + view + "&" + row.by)
				p.wait("drawn: "+view, `document.querySelector("#canvas .tree, #canvas .board, #canvas .node")`)
				if got := rows(tasks); got != row.tasks {
					t.Errorf("%s, %s, %s: %q is shown, want %q", l, view, row.by, got, row.tasks)
				}
			}
		}
	}
	p.show(wide)

	p.at("#screen=plan&view=board")
	choose := func(name, value string) {
		t.Helper()
		eval[bool](p, fmt.Sprintf(`(s => (s.value = %q, s.dispatchEvent(new Event("change")), true))(document.querySelector("#plan-filter select[name=%s]"))`, value, name))
	}
	choose("stage", "build")
	choose("label", "team=web")
	p.at("#screen=plan&view=board&stage=build&label=team%3Dweb")
	if text, chosen := p.text("#plan-filter .sub"), eval[string](p, `[...document.querySelectorAll("#plan-filter select")].map(s => s.value).join()`); text != "2 of 14" || chosen != ",build,,team=web" {
		t.Errorf("it says %q, and %q is chosen", text, chosen)
	}
	p.do(chromedp.Reload())
	p.live()
	p.wait("a reload shows the same", `[...document.querySelectorAll("#canvas .leaf")].map(e => e.dataset.ref).sort().join() === "task/login-api,task/rate-limit" && document.querySelector("#plan-filter select[name=stage]").value === "build"`)
	s.idumb("label", "task/docs", "team=web")
	s.idumb("label", "task/token-lib", "team=web")
	p.wait("what comes meanwhile is filtered as well", `document.querySelector("#plan-filter .sub").textContent === "3 of 14" && document.querySelector("#canvas [data-ref='task/token-lib']") && !document.querySelector("#canvas [data-ref='task/docs']")`)

	for _, view := range []string{"outline", "board", "graph"} {
		p.at("#screen=plan&view=" + view + "&find=zzz&stage=build")
		p.wait("it says that there is nothing", `document.querySelector("#canvas").textContent.includes("None of 14 matches the filter.")`)
		eval[bool](p, `(document.querySelector("#canvas button").click(), true)`)
		p.wait("all is shown again", fmt.Sprintf(`location.hash === "#screen=plan&view=%s" && document.querySelectorAll("#canvas .leaf, #canvas .node").length > 5 && document.querySelector("#plan-filter button").hidden && document.querySelector("#plan-filter input").value === ""`, view))
	}
	p.press("/open-c1")
	p.wait("keys filter", `location.hash.includes("find=open-c1")`)
	p.at("#screen=plan&view=board")
	p.wait("what waits is folded", `!document.querySelector("#canvas [data-ref='task/release']")`)
	eval[bool](p, `(document.querySelector("#canvas summary").click(), true)`)
	p.wait("and opens, which the address says", `location.hash.includes("open=blocked") && document.querySelector("#canvas [data-ref='task/release']").getClientRects().length`)
	eval[bool](p, `(document.querySelector("#canvas summary").click(), true)`)
	p.wait("and closes", `!location.hash.includes("open=") && !document.querySelector("#canvas [data-ref='task/release']")`)

	p.at("#screen=gate&agent=claude%2F" + firstSession)
	if got := p.text("#list tbody"); !strings.Contains(got, "a1f4b0") || strings.Contains(got, "a1f4b9") {
		t.Errorf("the calls of one agent are: %s", got)
	}
	p.at("#screen=gate&find=push+elsewhere")
	p.wait("no such call", `document.querySelector("#list-body").textContent.includes("None of 2 matches the filter.")`)
	p.press("4")
	p.wait("another screen begins without a filter", `!location.hash.includes("find") && document.querySelectorAll("#list-body tbody tr").length === 2`)
	p.at("#screen=memory&label=area%3Dops")
	if got := rows("#list-body tr[data-ref]"); got != "prod" {
		t.Errorf("the mems of a label are %q", got)
	}
	p.at("#screen=memory&find=monday")
	p.wait("a mem is found", `document.querySelector("#list-body h3").textContent === "Found 1" && document.querySelector("#list-body tbody").textContent.includes("Monday")`)
	p.quiet()
}

package page_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// manyTabs is more than a browser has connections to one site.
const manyTabs = 8

// tabs makes sure that all tabs that somebody opened are live: a change comes to each.
func tabs(t *testing.T, d *driver) {
	s := d.openShop(t, demo(), nil)
	first := d.open(t, s, wide)
	all := []*tab{first}
	for len(all) < manyTabs {
		p := d.browser.newTab(t, first, wide)
		p.do(chromedp.Navigate(s.handOver()))
		all = append(all, p)
	}
	for i, p := range all {
		p.wait(fmt.Sprintf("tab %d is live", i+1), `document.querySelector("#live-text").textContent === "live"`)
	}
	s.write("workplans/accounts", map[string]any{"spec": map[string]any{"title": "Everybody can sign in", "state": "active", "acceptance": []string{"x"}}})
	for i, p := range all {
		p.wait(fmt.Sprintf("tab %d hears of a change", i+1), `document.querySelector("#h-plan").textContent === "Everybody can sign in"`)
		p.quiet()
	}
}

package page_test

import (
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const escape = kb.Escape

// press presses keys, one after the other.
func (p *tab) press(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
	eval[bool](p, `new Promise(f => requestAnimationFrame(() => setTimeout(() => f(true))))`)
}

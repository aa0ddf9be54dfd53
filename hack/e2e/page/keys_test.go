package page_test

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const escape = kb.Escape

// press presses keys, one after the other, and waits until they are drawn. As on a keyboard, what a
// script does with a key is not typed as well.
func (p *tab) press(keys string) {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, key := range keys {
			events := kb.Encode(key)
			down, up := events[0], events[len(events)-1]
			if len(events) == 3 {
				down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
			}
			for _, e := range []*input.DispatchKeyEventParams{down, up} {
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	p.settle()
}

// control presses a key with Ctrl.
func (p *tab) control(key string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.settle()
}

// settle waits until what was done last is drawn.
func (p *tab) settle() {
	p.t.Helper()
	eval[bool](p, `new Promise(f => requestAnimationFrame(() => setTimeout(() => f(true))))`)
}

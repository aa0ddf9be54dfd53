package packer

import (
	"maps"
	"slices"
)

// Make packs for a reader, as of now. It may be called on many goroutines.
func Make(s Source, reader Reader) Pack {
	if reader.Stock == nil {
		reader.Stock = &Stock{}
	}
	reader.Stock.use.Lock()
	defer reader.Stock.use.Unlock()
	return Build(gather(s, reader))
}

// Build packs a context. It changes nothing of its input and may run at once on many goroutines.
// It always succeeds: what does not fit is left out and named
// in Pack.Entries, and Pack.Overflow is set when that hits a part that must be in.
func Build(in Input) Pack {
	d := newPacking(in)
	d.offer()
	return d.pack()
}

// offer collects the candidates, in the order of the pack.
func (d *packing) offer() {
	d.rules()
	d.project()
	d.known()
	d.code()
	d.plan()
	d.tasks()
}

// known offers what is known: false paths, anchors and insights. Where all is as it was
// when they were last offered to this reader, so are they.
func (d *packing) known() {
	d.judge = d.stock.judge(d.question(), d.links(), d.in.Terse)
	if last := d.stock.weighed[d.in.sessionName()]; last.judge == d.judge && maps.Equal(last.previous, d.in.Previous) {
		d.all = append(d.all, last.offered...)
		return
	}
	before := len(d.all)
	mems := d.falsePaths()
	d.anchors()
	d.insights(mems)
	d.stock.remember(d.in.sessionName(), weighed{d.judge, d.in.Previous, slices.Clone(d.all[before:])})
}

// maxSettling bounds how often is chosen anew until what is in stays so; twice is the rule.
const maxSettling = 8

// pack chooses among the candidates, until choosing again from what is in gives the same.
func (d *packing) pack() Pack {
	order, lost := d.fill()
	for range maxSettling {
		if !d.all.settle() {
			break
		}
		order, lost = d.fill()
	}
	return d.finish(order, lost)
}

// fill decides which candidates are in. The first round finds out whether anything is left
// out; the second one makes room for naming it.
func (d *packing) fill() (order []int, lost int) {
	order = d.all.turns()
	lost = choose(d.all, order, d.budget, size{})
	switch {
	case lost > 0:
		lost = choose(d.all, order, d.budget, endReserve().plus(measure(noticeText(9999999, d.budget))))
	case len(d.leavings(order)) > 0:
		if choose(d.all, order, d.budget, endReserve()) > 0 {
			choose(d.all, order, d.budget, size{}) // names must not push out what must be in
		}
	}
	return order, lost
}

// finish writes the text, with as many names of what was left out as there is room for.
func (d *packing) finish(order []int, lost int) Pack {
	p := Pack{Budget: d.budget}
	if !d.in.Terse {
		p.Entries = d.all.entries()
	}
	notice := ""
	if lost > 0 {
		p.Overflow, notice = overflowNotice(lost, d.budget), noticeText(lost, d.budget)
	}
	text := render(d.all, notice, "")
	if left := d.leavings(order).text(); d.budget.holds(measure(text).plus(measure(left))) {
		text = render(d.all, notice, left)
	}
	s := measure(text)
	p.Bytes, p.Digest = []byte(text), digest(text)
	p.Characters, p.Tokens = s.characters, wholeTokens(s.milli)
	return p
}

package packer

import (
	"cmp"
	"maps"
	"slices"

	"github.com/idumb-dev/idumb/resources/tokens"
)

// Make builds a pack for a reader at the source's current time. It is safe for concurrent use.
func Make(s Source, reader Reader) Pack {
	if reader.Stock == nil {
		reader.Stock = &Stock{}
	}
	reader.Stock.work.Lock()
	defer reader.Stock.work.Unlock()
	return Build(gather(s, reader))
}

// Build builds a pack. It does not change its input and is safe for concurrent use. It always
// succeeds: entries that do not fit are left out and listed in Pack.Entries, and Pack.Overflow is
// set if a reserved entry does not fit.
func Build(in Input) Pack {
	d := newPacking(in)
	d.offer()
	return d.pack()
}

// offer collects the candidates, in the order of the pack.
func (d *packing) offer() {
	d.rules()
	d.project()
	d.offerKnowledge()
	d.code()
	d.plan()
	d.tasks()
}

// offerKnowledge offers false paths, anchors and insights. If nothing changed since they were last offered
// to this reader, it offers the same candidates.
func (d *packing) offerKnowledge() {
	d.judge = d.stock.judge(d.question(), d.links(), d.in.Terse)
	if last := d.stock.selections[d.in.sessionName()]; last.judge == d.judge && maps.Equal(last.previous, d.in.Previous) {
		d.candidates = append(d.candidates, last.offered...)
		return
	}
	before := len(d.candidates)
	list := d.scoreMems()
	var paths []*memScore
	mems := make([]*memScore, 0, len(list))
	for i := range list {
		if list[i].falsePath {
			paths = append(paths, &list[i])
		} else {
			mems = append(mems, &list[i])
		}
	}
	paths = d.dropDuplicates(antiPatterns, paths)
	slices.SortFunc(paths, func(a, b *memScore) int { return cmp.Or(byPrevious(a.previous, b.previous), a.byCreation(b)) })
	for _, r := range paths {
		d.falsePath(r)
	}
	d.anchors()
	d.insights(mems)
	d.stock.remember(d.in.sessionName(), selection{d.judge, d.in.Previous, slices.Clone(d.candidates[before:])})
}

// maxSettling limits how often the selection is repeated until it is stable; two rounds are usual.
const maxSettling = 8

// pack selects among the candidates until the selection, given its own result as the previous pack,
// does not change.
func (d *packing) pack() Pack {
	order, lost := d.fill()
	for range maxSettling {
		if !d.candidates.markIncluded() {
			break
		}
		order, lost = d.fill()
	}
	// as many names of omitted entries as fit
	p := Pack{Budget: d.budget}
	if !d.in.Terse {
		p.Entries = d.candidates.entries()
	}
	notice := ""
	if lost > 0 {
		p.Overflow, notice = overflowNotice(lost, d.budget), noticeText(lost, d.budget)
	}
	text := render(d.candidates, notice, "")
	if left := d.omitted(order).text(); d.budget.contains(tokens.Measure(text).Plus(tokens.Measure(left))) {
		text = render(d.candidates, notice, left)
	}
	s := tokens.Measure(text)
	p.Bytes, p.Digest = []byte(text), digest(text)
	p.Characters, p.Tokens = s.Characters, tokens.Whole(s.Milli)
	return p
}

// fill selects the candidates. The first round finds out whether any is left
// out; the second one reserves room to name them. It returns the order of the
// selection and the number of reserved entries that do not fit.
func (d *packing) fill() (order []int, lost int) {
	order = d.candidates.selectionOrder()
	lost = choose(d.candidates, order, d.budget, tokens.Size{})
	switch {
	case lost > 0:
		lost = choose(d.candidates, order, d.budget, endReserve().Plus(tokens.Measure(noticeText(9999999, d.budget))))
	case len(d.omitted(order)) > 0:
		if choose(d.candidates, order, d.budget, endReserve()) > 0 {
			choose(d.candidates, order, d.budget, tokens.Size{}) // the names must not displace reserved entries
		}
	}
	return order, lost
}

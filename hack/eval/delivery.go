package main

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/idumb-dev/idumb/hack/drive"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// Delivery is measured with the real programs: conversations are sent to the hook as events, and
// all texts for the agent are searched for mems. A mem was given if the beginning of its text
// appears; its title or name is not sufficient.
//
// Meaning of the figures:
//
//	needed          mems that a turn needs by the key, summed over turns
//	given ... by    of these, the number that the agent had received since its session began: with the
//	                answer to the prompt, before the turn's first edit, and by the turn's end
//	noise           of all mems given in a session, without duplicates, the share that the key calls
//	                neither needed nor acceptable for any turn of that session
//	tokens          of all delivered texts in the sessions (o200k_base), for each mem that was needed and given

// Goals of delivery, and the limits of -quick for testdata/delivery.jsonl: a little worse than the
// measurements when they were written.
const (
	goalGiven, goalNoise, goalCharacters = 0.90, 0.20, 18000

	leastGiven, mostNoise, mostPerNeeded, mostCharacters = 0.88, 0.20, 200, 18000
)

// delivered is the result of conversations.
type delivered struct {
	name                     string
	sessions, turns, prompts int // prompts counts the prompts that need a mem
	needed                   int
	byPrompt, byEdit, byEnd  int
	first                    map[moment]int // needed mems that were given, by the moment of their first delivery
	given, noise             int
	tokensBy                 map[moment]int // tokens by moment
	tokens                   int
	longest                  int // characters delivered in the session with the most prompts
}

// telling contains the deliveries of one session so far.
type telling struct {
	since map[string]moment // moment of the first delivery of each mem
	turn  map[string]moment // mems first delivered in this turn
	texts []deliveredText
}

type deliveredText struct {
	moment moment
	text   string
}

// delivery simulates the conversations of a project with the real programs.
func (o *options) delivery() error {
	own, err := readProject("own set", o.prefixed("delivery.jsonl"))
	if err != nil {
		return err
	}
	bin, err := drive.Build("idumb", "idumb-controller", "idumb-hook")
	if err != nil {
		return fmt.Errorf("delivery: %w", err)
	}
	defer bin.Remove()
	d, err := deliver(bin, own.name, []*project{own})
	if err != nil {
		return err
	}
	all := []*delivered{d}
	for _, dir := range o.histories {
		projects, err := historyProjects(dir, o.turns)
		if err != nil {
			return err
		}
		if d, err = deliver(bin, "history of "+repositoryName(dir), projects); err != nil {
			return err
		}
		all = append(all, d)
	}
	o.tellDelivery(all)
	return nil
}

// deliver simulates all conversations of projects.
func deliver(bin drive.Bin, name string, projects []*project) (*delivered, error) {
	d := &delivered{name: name, first: map[moment]int{}, tokensBy: map[moment]int{}}
	longest := 0
	for _, p := range projects {
		s, err := openScene(bin, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		marks := p.marks()
		for i, c := range p.sessions {
			t := &telling{since: map[string]moment{}, turn: map[string]moment{}}
			s.heard = func(when moment, text string) { t.hear(marks, when, text) }
			if err := s.play(c, i, func(e exchange) { d.turnEnded(t, e) }); err != nil {
				s.close()
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			d.sessionEnded(t, c)
			if len(c.exchanges) > longest {
				longest, d.longest = len(c.exchanges), t.characters()
			}
		}
		s.close()
	}
	return d, nil
}

// markWords is the number of words of a mem's beginning that identify it.
const markWords = 6

// marks returns the texts that identify mems: the beginning of the content, and the title.
func (p *project) marks() map[string][2]string {
	marks := map[string][2]string{}
	for _, m := range p.mems {
		text := m.Text + m.Content
		if m.Type == resources.FalsePath {
			text = strings.TrimPrefix(text, "AVOID ")
		}
		words := strings.Fields(text)
		marks[string(m.ID)] = [2]string{strings.Join(words[:min(len(words), markWords)], " "), m.Title}
	}
	return marks
}

// hear searches a delivered text for mems.
func (t *telling) hear(marks map[string][2]string, when moment, text string) {
	t.texts = append(t.texts, deliveredText{when, text})
	plain := strings.Join(strings.Fields(html.UnescapeString(text)), " ")
	for id, mark := range marks {
		_, known := t.since[id]
		if known || !strings.Contains(plain, mark[0]) && !titled(text, mark[1], id) {
			continue
		}
		t.since[id], t.turn[id] = when, when
	}
}

// titled reports whether a line contains a mem's title and ID. A title without the ID does not tell
// the agent where to find the mem.
func titled(text, title, id string) bool {
	for line := range strings.Lines(html.UnescapeString(text)) {
		if title != "" && strings.Contains(line, title) && strings.Contains(line, resources.Mems+"/"+id) {
			return true
		}
	}
	return false
}

func (t *telling) characters() (n int) {
	for _, told := range t.texts {
		n += len(utf16.Encode([]rune(told.text)))
	}
	return n
}

// turnEnded counts the fulfilled needs of a turn.
func (d *delivered) turnEnded(t *telling, e exchange) {
	d.turns++
	if len(e.Needed) > 0 {
		d.prompts++
	}
	for _, id := range e.Needed {
		d.needed++
		when, given := t.since[id]
		if !given {
			continue
		}
		d.first[when]++
		d.byEnd++
		inTurn, late := t.turn[id]
		at := slices.Index(moments[:], inTurn)
		if !late || at <= slices.Index(moments[:], atPrompt) {
			d.byPrompt++
		}
		if !late || at < slices.Index(moments[:], atEdit) {
			d.byEdit++
		}
	}
	t.turn = map[string]moment{}
}

// sessionEnded counts the noise and the cost of a session.
func (d *delivered) sessionEnded(t *telling, c conversation) {
	d.sessions++
	wanted := map[string]bool{}
	for _, e := range c.exchanges {
		for _, id := range slices.Concat(e.Needed, e.Acceptable) {
			wanted[id] = true
		}
	}
	for id := range t.since {
		d.given++
		d.noise += count(!wanted[id])
	}
	for _, told := range t.texts {
		n := tokens.Estimate(told.text)
		d.tokens += n
		d.tokensBy[told.moment] += n
	}
}

// tellDelivery prints a row for each set, and checks the limits of this project's set.
func (o *options) tellDelivery(all []*delivered) {
	fmt.Fprintf(o.output, "\n| delivery, by the hook | sessions, turns | mems needed | given with the prompt | before the first edit (goal %.2f) | by the turn's end | mems given | noise (goal %.2f) | tokens | for each needed mem |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n", goalGiven, goalNoise)
	for _, d := range all {
		fmt.Fprintf(o.output, "| %s | %d, %d | %d at %d prompts | %.3f | %.3f | %.3f | %d | %.3f | %d | %d |\n", d.name, d.sessions, d.turns, d.needed, d.prompts,
			share(d.byPrompt, d.needed), share(d.byEdit, d.needed), share(d.byEnd, d.needed), d.given, share(d.noise, d.given), d.tokens, d.perNeeded())
	}
	fmt.Fprint(o.output, "\n| told at")
	for _, when := range moments {
		fmt.Fprintf(o.output, " | %s", when)
	}
	fmt.Fprintf(o.output, " |\n| ---%s |\n", strings.Repeat(" | ---", len(moments)))
	for _, d := range all {
		fmt.Fprintf(o.output, "| %s: needed mems first, tokens", d.name)
		for _, when := range moments {
			fmt.Fprintf(o.output, " | %d, %d", d.first[when], d.tokensBy[when])
		}
		fmt.Fprintln(o.output, " |")
	}
	own := all[0]
	fmt.Fprintf(o.output, "\n| a session of 22 prompts and 3 tasks | goal |\n| --- | --- |\n| %d characters delivered | %d |\n", own.longest, goalCharacters)
	o.atLeast("needed mems that were given", share(own.byEdit, own.needed), leastGiven)
	o.atLeast("given mems that are no noise", 1-share(own.noise, own.given), 1-mostNoise)
	o.atMost("tokens for each needed mem", own.perNeeded(), mostPerNeeded)
	o.atMost("characters delivered in a session", own.longest, mostCharacters)
}

// perNeeded returns the cost of each mem that was needed and given in time.
func (d *delivered) perNeeded() int { return d.tokens / max(d.byEdit, 1) }

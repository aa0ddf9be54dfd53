package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate/memory"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// objects looks at every object: at its file, and at what holds about it.
func (x *examination) objects() {
	for _, p := range x.snap.Problems() {
		x.unreadable(p)
	}
	for _, kind := range resources.Kinds() {
		for _, key := range x.snap.List(kind.Plural) {
			if _, broken := x.snap.Problem(key); !broken {
				x.conditions(key)
			}
		}
	}
}

// lost tells of mems and anchors that are in no context any more because the files that they
// cite are gone: nothing is broken, but somebody has to say what becomes of them.
func (x *examination) lost() {
	const most = 5
	all := memory.LostSources(x.snap)
	if len(all) == 0 {
		return
	}
	names := strings.Join(all[:min(most, len(all))], ", ")
	if more := len(all) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	x.notice("what they cite is gone, so they are in no context any more: %s; idumb mem review says what to do", names)
}

// unreadable reports everything that is wrong with a file's text, or the one
// thing that kept it from being read.
func (x *examination) unreadable(p resources.Problem) {
	if p.Key.Name == "" {
		return // a whole folder: folders reports it
	}
	data, _, err := x.root.ReadSpec(p.Key)
	if err != nil {
		x.problem(named(p, p.Key))
		return
	}
	all := resources.Problems(p.Key, data)
	if len(all) == 0 {
		return // repaired since
	}
	for _, one := range all {
		one.File = layout.Path(p.Key)
		x.problem(named(one, p.Key))
	}
}

// named completes a problem with its object and, where it has none, its file.
func named(p resources.Problem, key resources.Key) resources.Problem {
	p.Key, p.Object = key, key.String()
	if p.File == "" {
		p.File = layout.Path(key)
	}
	return p
}

// mended are the conditions that a person has to mend.
var mended = [...]string{resources.ChainBroken, resources.Orphaned, resources.EvidenceMissing, resources.Conflict, resources.DelegateGone}

func (x *examination) conditions(key resources.Key) {
	common := resources.CommonOf(x.snap.Derived(key))
	if common == nil {
		return
	}
	for _, name := range mended {
		c := resources.FindCondition(common.Conditions, name)
		if c == nil || c.Status != resources.True || x.toldBefore(key, c) {
			continue
		}
		x.condition(key, c)
	}
}

// toldBefore: a circle is one problem, told for its first member.
func (x *examination) toldBefore(key resources.Key, c *resources.Condition) bool {
	circle := x.snap.Circle(key)
	return c.Type == resources.ChainBroken && len(circle) > 0 && circle[0] != key.Name
}

// condition makes a problem of a condition. Its message begins with the field, if
// it is about one, and ends with the remedy.
func (x *examination) condition(key resources.Key, c *resources.Condition) {
	p := named(resources.Problem{}, key)
	reason, remedy, _ := strings.Cut(c.Message, "; ")
	p.Reason, p.Remedy = c.Type+": "+reason, remedy
	if p.Remedy == "" {
		kind, _ := resources.KindOf(key.Kind)
		p.Remedy = fmt.Sprintf("idumb describe %s %s says more", kind.Singular, key.Name)
	}
	field, _, _ := strings.Cut(reason, " ")
	p.Field = fieldOf(c, field)
	if data, _, err := x.root.ReadSpec(key); err == nil && p.Field != "" {
		p.Line, p.Column = resources.Position(data, p.Field)
	}
	x.problem(p)
}

// fieldOf is the field that a condition is about.
func fieldOf(c *resources.Condition, firstWord string) string {
	switch {
	case strings.HasPrefix(firstWord, "spec."):
		return strings.TrimRight(firstWord, ",:")
	case c.Type == resources.ChainBroken:
		return "spec.dependsOn"
	case c.Type == resources.EvidenceMissing:
		return "spec.state"
	}
	return ""
}

// statuses compares what the controller wrote with what holds.
func (x *examination) statuses() {
	old := 0
	for _, kind := range resources.Kinds() {
		for _, key := range x.snap.List(kind.Plural) {
			o, readable := x.snap.Get(key)
			if _, broken := x.snap.Problem(key); readable && !broken && x.outdated(key, o) {
				old++
			}
		}
	}
	if old == 0 {
		return
	}
	text := fmt.Sprintf("%d statuses are missing or older than their files", old)
	if x.alive {
		x.notice("%s: the controller is busy, or stuck; idumb controller status says which", text)
		return
	}
	x.notice("%s: a controller brings them up to date when it runs", text)
}

func (x *examination) outdated(key resources.Key, o resources.Object) bool {
	common := resources.CommonOf(x.snap.Derived(key))
	data, _, err := x.root.Read(layout.StatusPath(key), layout.MaxSpec)
	if errors.Is(err, store.ErrGone) || common == nil {
		return false
	}
	return err != nil || !agrees(data, o.Source().Revision, common.Phase)
}

// agrees reports whether a status file is about this revision and says this phase.
func agrees(status []byte, revision, phase string) bool {
	var seen resources.Common
	return json.Unmarshal(status, &seen) == nil && seen.ObservedRevision == revision && seen.Phase == phase
}

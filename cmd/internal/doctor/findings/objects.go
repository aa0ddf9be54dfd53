package findings

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// objects looks at every object: at its file, and at what holds about it.
func (x *examination) objects() {
	for _, p := range x.Problems() {
		x.unreadable(p)
	}
	for _, kind := range resources.Kinds() {
		for _, key := range x.List(kind.Plural) {
			if _, broken := x.Problem(key); !broken {
				x.conditions(key)
			}
		}
	}
}

func (x *examination) add(p resources.Problem) { x.found.Problems = append(x.found.Problems, p) }

// lost tells of mems and anchors that are in no context any more because the files that they
// cite are gone: nothing is broken, but somebody has to say what becomes of them.
func (x *examination) lost() {
	all := questions.LostSources(x.Source)
	if len(all) == 0 {
		return
	}
	notice(&x.found.Lost, "what they cite is gone, so they are in no context any more: %s; idumb review mems,anchors says what to do", resources.Listed(all, 5, ", "))
}

// doubted tells of decisions that hold and that something speaks against: each the first that does.
func (x *examination) doubted() {
	var all []string
	for _, key := range x.List(resources.Decisions) {
		st, known := x.Derived(key).(*resources.DecisionStatus)
		if !known || st.Phase != resources.DecisionResolved {
			continue
		}
		for _, doubt := range resources.DecisionDoubts() {
			if c := resources.FindCondition(st.Conditions, doubt); c != nil {
				what, _, _ := strings.Cut(c.Message, "; ")
				all = append(all, key.Name+" ("+what+")")
				break
			}
		}
	}
	if len(all) > 0 {
		notice(&x.found.Doubted, "something speaks against what was decided: %s; idumb review says what to do", status.Listed(all, ", "))
	}
}

// unreadable reports everything that is wrong with a file's text, or the one
// thing that kept it from being read.
func (x *examination) unreadable(p resources.Problem) {
	if p.Key.Name == "" {
		return // a whole folder: folders reports it
	}
	data, _, err := x.Root.ReadSpec(p.Key)
	if err != nil {
		x.add(named(p, p.Key))
		return
	}
	all := resources.Problems(p.Key, data)
	if len(all) == 0 {
		return // repaired since
	}
	for _, one := range all {
		one.File = layout.Path(p.Key)
		x.add(named(one, p.Key))
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
	common := resources.CommonOf(x.Derived(key))
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
	circle := x.Circle(key)
	return c.Type == resources.ChainBroken && len(circle) > 0 && circle[0] != key
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
	if data, _, err := x.Root.ReadSpec(key); err == nil && p.Field != "" {
		p.Line, p.Column = resources.Position(data, p.Field)
	}
	x.add(p)
}

// fieldOf is the field that a condition is about.
func fieldOf(c *resources.Condition, firstWord string) string {
	switch {
	case strings.HasPrefix(firstWord, "spec."):
		return strings.TrimRight(firstWord, ",:")
	case c.Type == resources.ChainBroken && strings.HasPrefix(c.Message, "is a part of itself"):
		return "spec.parent"
	case c.Type == resources.ChainBroken:
		return "spec.dependsOn"
	case c.Type == resources.EvidenceMissing:
		return "spec.state"
	}
	return ""
}

// statuses counts those that are not what the controller would write. One that answers knows
// what it wrote, and not whether somebody removed it; of files each has to be read.
func (x *examination) statuses() {
	read := x.Stock == nil
	for _, kind := range resources.Kinds() {
		written := map[string]bool{}
		names, _ := x.Root.Names(layout.StatusDir + "/" + kind.Plural) // where that is no folder, doctor says so
		for _, name := range names {
			written[name] = true
		}
		for _, key := range x.List(kind.Plural) {
			o, readable := x.Get(key)
			if _, broken := x.Problem(key); !readable || broken {
				continue
			}
			if common := resources.CommonOf(x.Derived(key)); common != nil && (!written[key.Name+".json"] || read && x.differs(key, o, common.Phase)) {
				x.found.Outdated++
			}
		}
	}
}

// differs reports whether an object's status file is not about its revision, or not of this phase.
func (x *examination) differs(key resources.Key, o resources.Object, phase string) bool {
	var seen resources.Common
	data, _, err := x.Root.Read(layout.StatusPath(key), layout.MaxSpec)
	return err != nil || json.Unmarshal(data, &seen) != nil || seen.ObservedRevision != o.Source().Revision || seen.Phase != phase
}

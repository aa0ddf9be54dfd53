package resources

import (
	"slices"
	"strconv"
)

// conditions says what is wrong about a mem.
func (d *deriver) conditions(s *MemStatus) []Condition {
	var all []Condition
	if c, found := d.conflict(s); found {
		all = append(all, c)
	}
	o := orphan{view: d.v}
	o.check("spec.originTask", Tasks, d.m.Spec.OriginTask)
	o.check("spec.parent", Mems, d.m.Spec.Parent)
	o.check("spec.supersedes", Mems, d.m.Spec.Supersedes)
	o.checkRelated(RelatedKeys(d.m))
	if c, orphaned := o.condition(); orphaned {
		all = append(all, c)
	}
	if len(s.Suspect) > 0 {
		reason := "EvidenceChanged"
		if d.gone {
			reason = "EvidenceGone"
		}
		all = append(all, Condition{Type: Suspect, Status: True, Reason: reason,
			Message: listed(s.Suspect, ", ") + "; look whether it still holds, then idumb mem confirm " + d.m.Metadata.Name + ", or replace it"})
	}
	return all
}

// conflict is the first of the ways in which a mem contradicts another one, with all of
// them in its message.
func (d *deriver) conflict(s *MemStatus) (Condition, bool) {
	c := Condition{Type: Conflict, Status: True}
	add := func(reason, message string) {
		switch {
		case reason == "":
		case c.Reason == "":
			c.Reason, c.Message = reason, message
		default:
			c.Message += "; " + message
		}
	}
	if d.m.Spec.Supersedes != "" { // most mems replace nothing
		add(d.circle())
		add(d.unfit())
		add(d.secondHead(s))
	}
	if d.m.Spec.TopicKey != "" {
		add(d.sameTopic(s))
	}
	add(d.kept())
	return c, c.Reason != ""
}

func (d *deriver) circle() (reason, message string) {
	old := d.m.Spec.Supersedes
	if !inCircle(d.m, d.v) {
		return "", ""
	}
	return "Circle", "it and " + strconv.Quote(old) + " replace each other, so neither does; take spec.supersedes out of one of them"
}

// unfit: it names a mem whose place it cannot take.
func (d *deriver) unfit() (reason, message string) {
	old := d.superseded()
	if old == nil {
		return "", ""
	}
	why := Unfit(d.m, old)
	switch {
	case why == "":
		return "", ""
	case d.m.Spec.Shelf != old.Spec.Shelf:
		return "OtherShelf", why + ", so it does not replace it; a mem replaces only mems of its own shelf"
	}
	return "ReasonMissing", why + ", so it goes on"
}

// superseded is the mem that d.m replaces, or wants to.
func (d *deriver) superseded() *Mem {
	if d.m.Spec.Supersedes == "" {
		return nil
	}
	return d.v.Mem(d.m.Spec.Supersedes)
}

// secondHead: others replace the same mem.
func (d *deriver) secondHead(s *MemStatus) (reason, message string) {
	old := d.superseded()
	if old == nil || !d.live(s) {
		return "", ""
	}
	all := Replacements(old, d.v)
	rivals := d.rivals(all)
	if len(rivals) == 0 || !slices.ContainsFunc(all, func(m *Mem) bool { return m.Metadata.Name == d.m.Metadata.Name }) {
		return "", ""
	}
	return "SecondHead", quoted(rivals) + " replaces " + strconv.Quote(old.Metadata.Name) + " as well; let one of them replace the other: idumb mem supersede " + rivals[0] + " --with " + d.m.Metadata.Name
}

// sameTopic: others say something else about the same topic.
func (d *deriver) sameTopic(s *MemStatus) (reason, message string) {
	all := d.v.Topic(d.m.Spec.TopicKey)
	if len(all) < 2 || !d.live(s) {
		return "", ""
	}
	topic, text := NormalTopic(d.m.Spec.TopicKey), NormalText(d.m.Spec.Content)
	others := d.rivals(slices.DeleteFunc(slices.Clone(all), func(o *Mem) bool { return NormalText(o.Spec.Content) == text }))
	if len(others) == 0 {
		return "", ""
	}
	return "SameTopic", quoted(others) + " says something else about topic " + strconv.Quote(topic) + "; let one of them replace the other: idumb mem supersede " + others[0] + " --with " + d.m.Metadata.Name
}

// kept: somebody wants a false path to end without saying what replaces it.
func (d *deriver) kept() (reason, message string) {
	spec := &d.m.Spec
	if spec.Type != FalsePath || spec.PurgedAt.IsZero() && spec.ValidTo.IsZero() {
		return "", ""
	}
	return "FalsePathKept", "a false path ends only by a mem that replaces it and says why, so spec.purgedAt and spec.validTo do nothing; idumb mem supersede " + d.m.Metadata.Name
}

func (d *deriver) live(s *MemStatus) bool {
	switch s.Phase {
	case Superseded, Purged, Ended, Pending:
		return false
	}
	return true
}

// rivals are the names of those mems but d.m that live.
func (d *deriver) rivals(mems []*Mem) []string {
	var names []string
	for _, o := range mems {
		if o.Metadata.Name != d.m.Metadata.Name && MemLive(o, d.v, d.now) {
			names = append(names, o.Metadata.Name)
		}
	}
	return names
}

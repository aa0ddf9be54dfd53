package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/tokens"
)

// minUpdate is the length, in characters, up to which an update is never too long for its pack.
const minUpdate = 1500

// Update returns the changes between two packs: base, which the reader has, and now. It returns ""
// if they are equal in content, and now if base is not a pack. If an update would be longer than
// half of now, it returns the headlines followed by now.
//
// Otherwise it returns a context_update element, deterministic and escaped like a pack:
//
//	<context_update base="DIGEST">
//	UNBLOCKED: ... (headlines; the lists below do not repeat them)
//	<ended> entries of base that are no longer valid </ended>
//	<changed> entries that replace those of base with the same beginning </changed>
//	<added> new entries </added>
//	</context_update>
//
// Each entry is inside its section and group, the most volatile ones last. A group that ended as a
// whole is "- all". A reader of base and the update knows the content of now. Mems and anchors do
// not end by leaving a pack, because they remain valid; ExpiredSnippets reports those that do not.
// The update omits the order and repetition of entries, the omitted entries, checkpoints, and
// everything that follows from the rest (redundant.go). For code it lists only new files, because
// the reader's edits change the other lines.
//
// known lists the IDs of mems and anchors that the reader received outside its packs, and of tasks
// that it completed itself; the update does not report them as new.
func Update(base, now []byte, known []string) string {
	after, ok := statements(now)
	before, read := statements(base)
	if !ok || !read {
		return string(now)
	}
	news := headlines(before, after)
	d := compare(before, after).dropImplied(news, before, after)
	news = withoutOwn(news, known)
	if len(news) == 0 { // only the reader's completions changed the number
		d.changed = slices.DeleteFunc(d.changed, func(s statement) bool { return own(known) && strings.HasPrefix(s.text, "Progress: ") })
	}
	d.changed, d.ended = slices.DeleteFunc(d.changed, statement.ofCode), slices.DeleteFunc(d.ended, statement.ofCode)
	d.added = slices.DeleteFunc(d.added, func(s statement) bool { return slices.Contains(known, s.object()) })
	for _, s := range d.added {
		if s.comment() != "" {
			news = append(news, s.text)
		}
	}
	d.added = slices.DeleteFunc(d.added, func(s statement) bool { return s.comment() != "" })
	if len(d.ended)+len(d.changed)+len(d.added) == 0 && len(news) == 0 {
		return ""
	}
	head := openTag(`context_update base="` + digest(string(base)) + `"`)
	for _, l := range news {
		head += l + "\n"
	}
	text := head + d.text(before) + closeTag("context_update")
	switch length, whole := tokens.Measure(text).Characters, tokens.Measure(string(now)).Characters; {
	case 2*length <= whole, length <= minUpdate && length < whole:
		return text
	}
	return head + wholePackNote + closeTag("context_update") + string(now)
}

// own reports whether known contains a task, which the reader completed itself.
func own(known []string) bool {
	return slices.ContainsFunc(known, func(id string) bool { return strings.HasPrefix(id, taskIDs) })
}

// withoutOwn removes the headlines about tasks that the reader completed: it knows from the answer to
// its call.
func withoutOwn(news, known []string) []string {
	return slices.DeleteFunc(slices.Clone(news), func(l string) bool {
		rest, completed := strings.CutPrefix(l, completedNews)
		return completed && slices.Contains(known, taskIDs+statement{text: rest}.name())
	})
}

// wholePackNote ends an update that consists of headlines and is followed by the whole pack.
const wholePackNote = "The whole current context follows.\n"

// difference is the change from one pack to another.
type difference struct{ ended, changed, added []statement }

// subject is the subject of a statement and its position.
type subject struct {
	position position
	key      string
}

func (s statement) subject() subject { return subject{s.position, s.key()} }

// compare returns the difference of two packs. A subject counts as changed only if it occurs once
// in each pack; otherwise the pairs would be ambiguous.
func compare(before, after []statement) difference {
	was, is := subjects(before), subjects(after)
	once := func(s subject) bool { return was[s] == 1 && is[s] == 1 }
	old := map[statement]bool{}
	for _, s := range before {
		old[s] = true
	}
	var d difference
	for _, s := range after {
		switch {
		case old[s]:
			delete(old, s)
		case once(s.subject()):
			d.changed = append(d.changed, s)
		default:
			d.added = append(d.added, s)
		}
	}
	for _, s := range before {
		if old[s] && !once(s.subject()) && s.object() == "" {
			d.ended = append(d.ended, s)
		}
	}
	return d
}

// subjects counts the statements of each subject.
func subjects(list []statement) map[subject]int {
	counts := make(map[subject]int, len(list))
	for _, s := range list {
		counts[s.subject()]++
	}
	return counts
}

// text renders the parts of an update, the most volatile entries of each last.
func (d difference) text(before []statement) string {
	w := &writer{}
	for _, part := range []struct {
		tag  string
		list []statement
	}{{"ended", d.endings(before)}, {"changed", d.changed}, {"added", d.added}} {
		for _, s := range part.list {
			w.enter(part.tag, s.position.section, s.position.group)
			w.WriteString(s.text + "\n")
		}
		w.enter()
	}
	return w.String()
}

// wholeGroup replaces all entries of a group.
const wholeGroup = "- all"

// endings returns the ended entries, with wholeGroup for a group that ended as a whole.
func (d difference) endings(before []statement) []statement {
	told, ended := map[position]int{}, map[position]int{}
	for _, s := range before {
		told[s.position]++
	}
	for _, s := range d.ended {
		ended[s.position]++
	}
	var list []statement
	for _, s := range d.ended {
		if s.position.group != "" && ended[s.position] == told[s.position] && told[s.position] > 1 {
			s.text = wholeGroup
		}
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// headlines returns the lines that a reader of an update must not miss.
func headlines(before, after []statement) []string {
	was, is := outlookOf(before), outlookOf(after)
	var news []string
	if is.intent != "" && is.intent != was.intent {
		news = append(news, "INTENT SHIFTED: "+is.intent)
	}
	for _, s := range after {
		if s.position.group == "delegation" && strings.Contains(s.text, " RECALLED") && !slices.Contains(before, s) {
			news = append(news, "DELEGATION RECALLED: "+strings.TrimPrefix(s.text, "- "))
		}
	}
	done := is.completedSince(was)
	for _, s := range done {
		news = append(news, completedNews+s.withoutPhase())
	}
	for _, s := range is.unblockedSince(was, done) {
		news = append(news, unblockedNews+s.withoutPhase())
	}
	return news
}

// outlook is the part of a pack about its tasks.
type outlook struct {
	plan, intent string
	phases       map[string]string // of the tasks of the chain
	next, done   []statement
	chain        []statement
}

// outlookOf collects the statements about tasks, the plan and the intent from the statements of a
// pack.
func outlookOf(list []statement) outlook {
	o := outlook{phases: map[string]string{}}
	for _, s := range list {
		switch {
		case s.position.group == "chain":
			o.chain = append(o.chain, s)
			o.phases[s.name()] = s.phase()
		case s.position.group == "next":
			o.next = append(o.next, s)
		case s.position.group == "done":
			o.done = append(o.done, s)
		case s.position != position{section: plan.String()}:
		case strings.HasPrefix(s.text, "Plan "):
			o.plan, _, _ = strings.Cut(strings.TrimPrefix(s.text, "Plan "), " ")
		case strings.HasPrefix(s.text, intentLabel):
			o.intent = strings.TrimPrefix(s.text, intentLabel)
		}
	}
	return o
}

// phase returns the phase in a line of the chain.
func (s statement) phase() string {
	_, rest, _ := strings.Cut(s.text, "[")
	phase, _, _ := strings.Cut(rest, "]")
	return phase
}

// withoutPhase returns a task's line without its phase.
func (s statement) withoutPhase() string {
	return strings.Replace(strings.TrimPrefix(s.text, "- "), " ["+s.phase()+"]", "", 1)
}

// named reports whether one of the statements is about the task of that name.
func named(list []statement, name string) bool {
	return slices.ContainsFunc(list, func(s statement) bool { return s.name() == name })
}

// completedSince returns the tasks that were not completed before: of the same plan, or in the
// previous chain.
func (o outlook) completedSince(before outlook) []statement {
	var list []statement
	for _, s := range o.done {
		known := before.phases[s.name()] != "" || before.plan == o.plan && o.plan != ""
		if known && before.phases[s.name()] != "completed" && !named(before.done, s.name()) {
			list = append(list, s)
		}
	}
	for _, s := range o.chain {
		if was := before.phases[s.name()]; s.phase() == "completed" && was != "" && was != "completed" && !named(list, s.name()) {
			list = append(list, s)
		}
	}
	return list
}

// unblockedSince returns the startable tasks that were blocked in the previous chain, or that
// depend on a task that was completed since.
func (o outlook) unblockedSince(before outlook, done []statement) []statement {
	var list []statement
	for _, s := range o.chain {
		if before.phases[s.name()] == "blocked" && (s.phase() == "planned" || s.phase() == "active") {
			list = append(list, s)
		}
	}
	for _, s := range o.next {
		if named(list, s.name()) || named(before.next, s.name()) {
			continue
		}
		after := slices.ContainsFunc(done, func(d statement) bool { return s.comesAfter(d.name()) })
		if before.phases[s.name()] == "blocked" || after {
			list = append(list, s)
		}
	}
	return list
}

// comesAfter reports whether a line lists another task as a dependency.
func (s statement) comesAfter(name string) bool {
	at := strings.LastIndex(s.text, " (after ")
	if at < 0 {
		return false
	}
	names, _, _ := strings.Cut(s.text[at+len(" (after "):], ")")
	return slices.Contains(strings.Split(names, ", "), name)
}

// ofCode reports whether a statement is about a code file.
func (s statement) ofCode() bool { return s.position.section == code.String() }

package packer

import (
	"slices"
	"strings"
)

// minUpdate is a length, in characters, up to which an update is never too long for its
// pack.
const minUpdate = 1500

// Update says what changed between two packs: base, which the reader has, and now.
// It is "" where they say the same, and now itself where base is no pack. Where an
// update would be longer than half of now, it says so, and now follows as a whole.
//
// Otherwise it is a context_update element, deterministic and escaped like a pack:
//
//	<context_update base="DIGEST">
//	UNBLOCKED: ... (what must not be overlooked; the lists below do not say it again)
//	<ended> entries of base that no longer hold </ended>
//	<changed> entries that stand for those of base with the same beginning </changed>
//	<added> new entries </added>
//	</context_update>
//
// each entry inside the section and group that it has in a pack, the most volatile
// ones last; of a group that ended as a whole "- all". Whoever has base and the update knows what now
// says. What is known (mems and anchors) does not end by leaving a pack: another task needs other
// things, and what the reader was told still holds. Where it does not, Ended says so. The order of
// entries, their repetition, what was left out, and the checkpoints, which the reader made, are not
// part of it, nor is what follows from the rest (implied.go). Of code it tells which files came: the
// reader's own edits change what is known of them.
//
// Of known mems and anchors, by their IDs, it does not say that they are new: the reader was told them
// beside its packs.
func Update(base, now []byte, known []string) string {
	after, ok := statements(now)
	before, read := statements(base)
	if !ok || !read {
		return string(now)
	}
	news := headlines(before, after)
	d := compare(before, after).lessImplied(news, before, after)
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
	switch length, whole := measure(text).characters, measure(string(now)).characters; {
	case 2*length <= whole, length <= minUpdate && length < whole:
		return text
	}
	return head + wholeFollows + closeTag("context_update") + string(now)
}

// wholeFollows ends an update that has nothing but lines for the eye: what follows it
// stands for the base.
const wholeFollows = "The whole context, as it is now, follows.\n"

// difference is what changed from one pack to another.
type difference struct{ ended, changed, added []statement }

// subject is what a statement is about, and where.
type subject struct {
	position position
	key      string
}

func (s statement) subject() subject { return subject{s.position, s.key()} }

// compare finds out what changed. Only what is told of once before and once after can
// be said to have changed: otherwise nobody could tell which one is meant.
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

// subjects counts how often each subject is told of.
func subjects(list []statement) map[subject]int {
	counts := make(map[subject]int, len(list))
	for _, s := range list {
		counts[s.subject()]++
	}
	return counts
}

// text is the parts of an update, the most volatile entries of each last.
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

// allOfIt stands for all that was told in a group.
const allOfIt = "- all"

// endings is what ended, as short as it can be told.
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
			s.text = allOfIt
		}
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// headlines puts into words what a reader must not overlook in an update.
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

// outlook is what a pack says about its tasks.
type outlook struct {
	plan, intent string
	phases       map[string]string // of the tasks of the chain
	next, done   []statement
	chain        []statement
}

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

// phase is the phase that a line of the chain tells.
func (s statement) phase() string {
	_, rest, _ := strings.Cut(s.text, "[")
	phase, _, _ := strings.Cut(rest, "]")
	return phase
}

// withoutPhase is a task's line without the phase that the chain tells.
func (s statement) withoutPhase() string {
	return strings.Replace(strings.TrimPrefix(s.text, "- "), " ["+s.phase()+"]", "", 1)
}

func named(list []statement, name string) bool {
	return slices.ContainsFunc(list, func(s statement) bool { return s.name() == name })
}

// completedSince lists the tasks that were not completed before: of the same plan, or
// known from the chain.
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

// unblockedSince lists the tasks that were blocked before, as the chain told, or that
// come after one that was completed since, and can be started now.
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

// comesAfter reports whether a line says that its task comes after another one.
func (s statement) comesAfter(name string) bool {
	at := strings.LastIndex(s.text, " (after ")
	if at < 0 {
		return false
	}
	names, _, _ := strings.Cut(s.text[at+len(" (after "):], ")")
	return slices.Contains(strings.Split(names, ", "), name)
}

// ofCode reports whether a statement tells of a file of code.
func (s statement) ofCode() bool { return s.position.section == code.String() }

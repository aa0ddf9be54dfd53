package main

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/source"
)

// Conversations are made of a repository's history, read where it is; nothing of it is kept. Ten
// commits that follow each other are a session, each of them a task with its subject as title, a prompt
// that says what its body says in other words, and its files read and edited. Mems are what the last
// commits before the session that mended something told about it. The rules stand here and in
// delivery_history_key.go as they were written before anything was measured, by nobody who tunes what is.
const (
	sessionTurns = 10
	sessionMems  = 80
	mostFiles    = 12  // of a commit that is a task or a mem; who changes more did not look for them
	leastBody    = 80  // characters of a body that tells something
	mostContent  = 400 // characters of a mem
	mostPrompt   = 45  // words
	mostSymbols  = 5
	mostCues     = 4
	mostSections = 2 // declarations that a mem cites
)

// historyProjects makes a project of each session of the last turns of a repository's history.
func historyProjects(dir string, turns int) ([]*project, error) {
	changes, err := historyChanges(dir)
	if err != nil {
		return nil, err
	}
	var tasks []int // places of the commits that are tasks
	for i := range changes {
		if changes[i].isTask() {
			tasks = append(tasks, i)
		}
	}
	tasks = tasks[max(0, len(tasks)-turns):]
	var projects []*project
	for at := 0; at+sessionTurns <= len(tasks); at += sessionTurns {
		p, err := historySession(dir, changes, tasks[at:at+sessionTurns])
		if err != nil {
			return nil, err
		}
		p.name = fmt.Sprintf("%s, session %d", repositoryName(dir), len(projects)+1)
		projects = append(projects, p)
	}
	if len(projects) == 0 {
		return nil, fmt.Errorf("the history of %s has no %d commits that could be tasks", dir, sessionTurns)
	}
	return projects, nil
}

// repositoryName is what the folder of a repository is called, bare ones after the folder around them.
func repositoryName(dir string) string {
	if name := filepath.Base(dir); name != "repo" && name != ".git" {
		return name
	}
	return filepath.Base(filepath.Dir(filepath.Clean(dir)))
}

// historySession is the session of some commits, with the mems of those before.
func historySession(dir string, changes []change, tasks []int) (*project, error) {
	var taught []*change // that became mems
	for i := tasks[0] - 1; i >= 0 && len(taught) < sessionMems; i-- {
		if changes[i].isTaught() {
			taught = append(taught, &changes[i])
		}
	}
	slices.Reverse(taught)
	if len(taught) == 0 {
		return nil, fmt.Errorf("before %s no commit of %s tells how something was mended", changes[tasks[0]].id, dir)
	}
	p := &project{files: map[string]string{}}
	before := &beforeSession{dir: dir, id: changes[tasks[0]].parent, files: p.files}
	for i, c := range taught {
		m, err := before.mem(c, i)
		if err != nil {
			return nil, err
		}
		p.mems = append(p.mems, m)
	}
	session := conversation{name: "history"}
	key := newHistoryKey(taught)
	for i, at := range tasks {
		c := &changes[at]
		id := fmt.Sprintf("t%02d", i+1)
		p.tasks = append(p.tasks, planned{ID: id, Title: c.title(), Output: "The change, with tests"})
		session.exchanges = append(session.exchanges, exchange{
			Prompt: c.prompt(), Completes: i > 0, Start: id, Fails: c.failing(), Edits: c.files,
			Needed: key.needed(c), Acceptable: key.acceptable(c),
		})
	}
	p.sessions = []conversation{session}
	return p, p.check()
}

// beforeSession reads files as they were when a session began.
type beforeSession struct {
	dir, id string
	files   map[string]string // that were read; those that there were not are missing
}

func (b *beforeSession) read(file string) (string, bool) {
	if text, known := b.files[file]; known {
		return text, true
	}
	text, err := git(b.dir, "show", b.id+":"+file)
	if err != nil { // there was none
		return "", false
	}
	b.files[file] = string(text)
	return string(text), true
}

// mem is what a commit taught. Its date is made up, one for each commit: how old a mem is must not
// depend on how often people of a project commit.
func (b *beforeSession) mem(c *change, place int) (learnt, error) {
	m := learnt{Type: "gotcha"}
	m.ID, m.Title, m.Content = textID(memName(c)), c.title(), c.told(mostContent)
	m.Date = fmt.Sprintf("2026-%02d-%02d", 1+place/28, 1+place%28)
	for _, s := range c.symbols[:min(len(c.symbols), mostSymbols)] {
		m.Symbols = append(m.Symbols, s.name)
	}
	m.Cues = c.quoted()
	sections := map[string]int{}
	for _, file := range c.files {
		text, there := b.read(file)
		if !there {
			continue
		}
		for _, s := range c.symbols {
			if s.file == file && sections[""] < mostSections && source.Find(file, s.name, []byte(text)).Declaration && source.Find(file, s.name, []byte(text)).Exists {
				m.Paths = append(m.Paths, file+"#"+s.name)
				sections[file]++
				sections[""]++
			}
		}
		if sections[file] == 0 {
			m.Paths = append(m.Paths, file)
		}
	}
	return m, resources.CheckName(string(m.ID))
}

// memName is what a mem is called: after its commit, which says nothing of what it is about.
func memName(c *change) string { return "c-" + c.id[:10] }

// title is a subject without what part of the project it is about.
func (c *change) title() string {
	if part, rest, cut := strings.Cut(c.subject, ": "); cut && len(part) < 40 {
		return withoutReferences(rest)
	}
	return withoutReferences(c.subject)
}

// mends are words of commits that tell of something that was wrong, or easily is.
var mends = regexp.MustCompile(`(?i)\b(fix(e[sd])?|bug|regression|panics?|race|deadlock|leak(s|ed)?|wrong(ly)?|crash(es|ed)?|avoid|prevent|ensure|revert|workaround|broken|incorrect(ly)?|fail(s|ed|ure)?)\b`)

// isTask reports whether a commit can be the work of one turn.
func (c *change) isTask() bool { return len(c.files) > 0 && len(c.files) <= mostFiles }

// isTaught reports whether a commit tells what one has to know where it changed something.
func (c *change) isTaught() bool {
	return c.isTask() && len(c.symbols) > 0 && len(c.facts()) >= leastBody && mends.MatchString(c.subject+"\n"+c.facts())
}

// trailer is a line at the end of a body that is for machines and lists of names.
var trailer = regexp.MustCompile(`(?m)^([A-Z][A-Za-z]*(-[A-Za-z]+)+|BREAKING CHANGE|Fixes|Closes|Updates|For|Refs?|See|PR Close|Tested):? .*$`)

// references are links, numbers of issues and sums of commits.
var references = regexp.MustCompile(`\(?https?://\S+\)?|\(?([\w./-]+)?#\d+\)?|\b[0-9a-f]{8,40}\b`)

// facts are a body's sentences, without trailers and references.
func (c *change) facts() string {
	return strings.Join(strings.Fields(withoutReferences(trailer.ReplaceAllString(c.body, ""))), " ")
}

func withoutReferences(text string) string {
	return strings.TrimSpace(references.ReplaceAllString(text, ""))
}

var sentenceEnd = regexp.MustCompile(`[.!?:]["')]? `)

// told is the beginning of the facts, whole sentences of it up to a length.
func (c *change) told(most int) string {
	facts := c.facts()
	if len(facts) <= most {
		return facts
	}
	end := most
	for _, at := range sentenceEnd.FindAllStringIndex(facts[:most], -1) {
		end = at[1]
	}
	return strings.ToValidUTF8(strings.TrimSpace(facts[:end]), "")
}

// quotes are what a body cites word by word.
var quotes = regexp.MustCompile("(?m)(?:^|[\\s(])(?:`([^`\\s][^`\n]{6,58}[^`\\s])`|\"([^\"\\s][^\"\n]{6,58}[^\"\\s])\")")

// quoted are the first few of these.
func (c *change) quoted() (cues []string) {
	for _, found := range quotes.FindAllStringSubmatch(c.body, -1) {
		if cue := found[1] + found[2]; len(cues) < mostCues && !slices.Contains(cues, cue) {
			cues = append(cues, cue)
		}
	}
	return cues
}

// otherWords are said by who asks in place of those that a commit has.
var otherWords = map[string]string{
	"add": "put in", "adds": "puts in", "added": "put in", "allow": "let", "avoid": "stop", "bug": "problem", "call": "use", "change": "alter", "changes": "alters",
	"check": "look at", "correctly": "right", "create": "make", "creates": "makes", "currently": "today", "delete": "drop", "ensure": "make sure of", "ensures": "makes sure of",
	"error": "complaint", "errors": "complaints", "fail": "break", "failed": "broke", "fails": "breaks", "failure": "breakage", "fix": "repair", "fixes": "repairs", "fixed": "repaired",
	"handle": "deal with", "improve": "better", "incorrect": "wrong", "incorrectly": "wrongly", "introduce": "bring in", "issue": "trouble", "method": "routine", "move": "shift",
	"only": "just", "panic": "crash", "prevent": "keep from", "previously": "before", "provide": "give", "remove": "take out", "removed": "taken out", "removes": "takes out",
	"replace": "swap", "return": "give back", "returned": "gave back", "returns": "gives back", "set": "put", "support": "cope with", "test": "check", "tests": "checks",
	"update": "renew", "use": "take", "used": "taken", "uses": "takes", "using": "with", "when": "once", "wrong": "off",
}

// prompt is what somebody asks for who wants what the commit does: the beginning of its facts, or its
// subject where it has none, in other words.
func (c *change) prompt() string {
	words := strings.Fields(c.told(mostContent))
	if len(words) == 0 {
		words = strings.Fields(c.title())
	}
	words = words[:min(len(words), mostPrompt)]
	for i, w := range words {
		bare := strings.Trim(w, ".,:;()")
		if other, known := otherWords[strings.ToLower(bare)]; known {
			words[i] = strings.Replace(w, bare, other, 1)
		}
	}
	return "Next: " + strings.Join(words, " ")
}

// complaint is a line of a body that a program said.
var complaint = regexp.MustCompile(`(?m)^.*(panic: |[Ee]rror: |FAIL|DATA RACE|TypeError|fatal: ).*$`)

// failing is the command that fails before the commit, where its body tells how.
func (c *change) failing() *failing {
	line := strings.TrimSpace(complaint.FindString(trailer.ReplaceAllString(c.body, "")))
	if line == "" {
		return nil
	}
	return &failing{Command: "make test DIR=" + path.Dir(c.files[0]), Error: withoutReferences(line)}
}

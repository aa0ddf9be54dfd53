package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/source"
)

// Conversations are generated from a repository's history, which is only read. Ten
// consecutive commits are a session. Each commit is a task with its subject as title, a
// prompt with a paraphrase of its body, and reads and edits of its files. Mems are the
// descriptions of the last fixes before the session. The rules are in this file and in
// delivery_history_key.go. They were written before the first measurement by an author who
// does not work on delivery.
const (
	sessionTurns = 10
	sessionMems  = 80
	mostFiles    = 12  // maximal number of files in a commit for a task or a mem; larger commits are not targeted
	leastBody    = 80  // minimal length of a meaningful body, in characters
	mostContent  = 400 // maximal length of a mem, in characters
	mostPrompt   = 45  // maximal number of words
	mostSymbols  = 5
	mostCues     = 4
	mostSections = 2 // maximal number of declarations that a mem cites
)

// historyProjects returns a project for each session in the last turns of a repository's history.
func historyProjects(dir string, turns int) ([]*project, error) {
	changes, err := historyChanges(dir)
	if err != nil {
		return nil, err
	}
	var tasks []int // indexes of the commits that are tasks
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

// repositoryName returns the name of a repository: its directory, or the parent directory of a bare
// one.
func repositoryName(dir string) string {
	if name := filepath.Base(dir); name != "repo" && name != ".git" {
		return name
	}
	return filepath.Base(filepath.Dir(filepath.Clean(dir)))
}

// historySession returns the session of some commits, with the mems of earlier ones.
func historySession(dir string, changes []change, tasks []int) (*project, error) {
	var taught []*change // commits that became mems
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

// beforeSession reads files in their state when a session began.
type beforeSession struct {
	dir, id string
	files   map[string]string // contents of the files that were read, without missing files
}

func (b *beforeSession) read(file string) (string, bool) {
	if text, known := b.files[file]; known {
		return text, true
	}
	text, err := git(b.dir, "show", b.id+":"+file)
	if err != nil { // missing file
		return "", false
	}
	b.files[file] = string(text)
	return string(text), true
}

// mem returns the mem of a commit. Its date is artificial, one for each commit, because a mem's age
// must not depend on a project's commit rate.
func (b *beforeSession) mem(c *change, place int) (learnt, error) {
	m := learnt{Type: "gotcha"}
	m.ID, m.Title, m.Content = textID(memName(c)), c.title(), c.text(mostContent)
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

// memName returns a mem's name, derived from the commit ID, so that it contains no words of the
// topic.
func memName(c *change) string { return "c-" + c.id[:10] }

// title returns a subject without the name of the project's part.
func (c *change) title() string {
	if part, rest, cut := strings.Cut(c.subject, ": "); cut && len(part) < 40 {
		return withoutReferences(rest)
	}
	return withoutReferences(c.subject)
}

// mends matches words of commits that describe a fault or a risk.
var mends = regexp.MustCompile(`(?i)\b(fix(e[sd])?|bug|regression|panics?|race|deadlock|leak(s|ed)?|wrong(ly)?|crash(es|ed)?|avoid|prevent|ensure|revert|workaround|broken|incorrect(ly)?|fail(s|ed|ure)?)\b`)

// isTask reports whether a commit can be the work of one turn.
func (c *change) isTask() bool { return len(c.files) > 0 && len(c.files) <= mostFiles }

// isTaught reports whether a commit describes knowledge about the changed code.
func (c *change) isTaught() bool {
	return c.isTask() && len(c.symbols) > 0 && len(c.facts()) >= leastBody && mends.MatchString(c.subject+"\n"+c.facts())
}

// trailer matches a line at the end of a body that is for machines or lists names.
var trailer = regexp.MustCompile(`(?m)^([A-Z][A-Za-z]*(-[A-Za-z]+)+|BREAKING CHANGE|Fixes|Closes|Updates|For|Refs?|See|PR Close|Tested):? .*$`)

// references matches links, numbers of issues and commit IDs.
var references = regexp.MustCompile(`\(?https?://\S+\)?|\(?([\w./-]+)?#\d+\)?|\b[0-9a-f]{8,40}\b`)

// facts returns a body's sentences, without trailers and references.
func (c *change) facts() string {
	return strings.Join(strings.Fields(withoutReferences(trailer.ReplaceAllString(c.body, ""))), " ")
}

func withoutReferences(text string) string {
	return strings.TrimSpace(references.ReplaceAllString(text, ""))
}

var sentenceEnd = regexp.MustCompile(`[.!?:]["')]? `)

// text returns the first full sentences of the facts, up to a length.
func (c *change) text(most int) string {
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

// quotes matches quotations in a body.
var quotes = regexp.MustCompile("(?m)(?:^|[\\s(])(?:`([^`\\s][^`\n]{6,58}[^`\\s])`|\"([^\"\\s][^\"\n]{6,58}[^\"\\s])\")")

// quoted returns the first few quotations.
func (c *change) quoted() (cues []string) {
	for _, found := range quotes.FindAllStringSubmatch(c.body, -1) {
		if cue := found[1] + found[2]; len(cues) < mostCues && !slices.Contains(cues, cue) {
			cues = append(cues, cue)
		}
	}
	return cues
}

// otherWords maps words of commits to other words for prompts.
var otherWords = map[string]string{
	"add": "put in", "adds": "puts in", "added": "put in", "allow": "let", "avoid": "stop", "bug": "problem", "call": "use", "change": "alter", "changes": "alters",
	"check": "look at", "correctly": "right", "create": "make", "creates": "makes", "currently": "today", "delete": "drop", "ensure": "make sure of", "ensures": "makes sure of",
	"error": "complaint", "errors": "complaints", "fail": "break", "failed": "broke", "fails": "breaks", "failure": "breakage", "fix": "repair", "fixes": "repairs", "fixed": "repaired",
	"handle": "deal with", "improve": "better", "incorrect": "wrong", "incorrectly": "wrongly", "introduce": "bring in", "issue": "trouble", "method": "routine", "move": "shift",
	"only": "just", "panic": "crash", "prevent": "keep from", "previously": "before", "provide": "give", "remove": "take out", "removed": "taken out", "removes": "takes out",
	"replace": "swap", "return": "give back", "returned": "gave back", "returns": "gives back", "set": "put", "support": "cope with", "test": "check", "tests": "checks",
	"update": "renew", "use": "take", "used": "taken", "uses": "takes", "using": "with", "when": "once", "wrong": "off",
}

// prompt returns a request for the commit's change: a paraphrase of the beginning of its facts,
// or of its subject if it has no facts.
func (c *change) prompt() string {
	words := strings.Fields(c.text(mostContent))
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

// complaint matches a line of a body that is a program's output.
var complaint = regexp.MustCompile(`(?m)^.*(panic: |[Ee]rror: |FAIL|DATA RACE|TypeError|fatal: ).*$`)

// failing returns the command that fails before the commit, if its body contains the error.
func (c *change) failing() *failing {
	line := strings.TrimSpace(complaint.FindString(trailer.ReplaceAllString(c.body, "")))
	if line == "" {
		return nil
	}
	return &failing{Command: "make test DIR=" + path.Dir(c.files[0]), Error: withoutReferences(line)}
}

// git runs a command in a repository.
func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("git %s in %s: %s", args[0], dir, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}

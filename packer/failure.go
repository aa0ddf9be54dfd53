package packer

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// A command that failed says so in a line or a few, among others. Without what differs from one run
// to the next (numbers, times, folders) such a line is the fingerprint of the failure.

// Sizes of what is looked at: of an output its beginning and its end, in bytes, of these so many lines.
const (
	failureHead  = 8 << 10
	failureTail  = 8 << 10
	mostFailures = 5
	longestLine  = 400
)

// patterns are what failures are read by, compiled when it is first asked for: no command is to pay for it
// at its start.
var patterns = sync.OnceValue(func() (p struct {
	failing, passing, located, folders, number, code, commonCode *regexp.Regexp
	gone                                                         []*regexp.Regexp
}) {
	// Words of which one stands in the line that tells an error, and lines that tell of none though they
	// hold such a word: "0 errors", "no failures".
	p.failing = regexp.MustCompile(`(?i)\b(error|errors|err|fail|failed|failure|fatal|panic|exception|traceback|cannot|can't|couldn't|unable|undefined|unresolved|unexpected|invalid|denied|refused|rejected|missing|timeout|timed out|not found|no such|does not exist|segmentation fault|killed|aborted|deadlock|conflict)\b|\w(Error|Exception)\b`)
	p.passing = regexp.MustCompile(`(?i)\b(0|no|without) (error|fail|warning)`)
	// Compilers, linters and tests begin what they complain of with its place, in whatever words they do.
	p.located = regexp.MustCompile(`^\S*\w\.\w+(:\d+){1,2}:\s`)
	// What is taken out of a line: dates and times, durations, addresses and sums, lines and columns.
	for _, gone := range [...]string{
		`\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?)?\b|\b\d\d:\d\d(:\d\d([.,]\d+)?)?\b`,
		`\b\d+(\.\d+)?(ns|µs|us|ms|s|m|h)\b`,
		`\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{12,}\b`,
		`:\d+(:\d+)?`,
	} {
		p.gone = append(p.gone, regexp.MustCompile(gone))
	}
	p.folders = regexp.MustCompile(`(?:[A-Za-z]:)?[/\\](?:[\w.@+~-]+[/\\])+`) // of a path from the root of the machine
	p.number = regexp.MustCompile(`(^|[^\w.-])\d[\d.,]*\b`)
	// Names of errors that stand for nothing else, and those that stand in too many.
	p.code = regexp.MustCompile(`\b(?:E[A-Z]{4,}|[A-Z]{2,5}\d{3,5}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b`)
	p.commonCode = regexp.MustCompile(`^(?:ERROR|ERRORS|EXCEPTION|ENOENT|EPERM|EACCES)$`)
	return p
})

// Fingerprint is what identifies a failure: the lines of an output that tell an error, without what
// differs from run to run, each once. If it is sure that the command failed, lines that begin with a place in
// a file tell one as well, and where none does, it is the last line.
func Fingerprint(output string, sure bool) []string {
	if len(output) > failureHead+failureTail {
		output = output[:failureHead] + "\n" + output[len(output)-failureTail:]
	}
	var lines []string
	p, last := patterns(), ""
	for l := range strings.Lines(clean(output)) {
		if l = strings.TrimSpace(l); l == "" || len(l) > longestLine {
			continue
		}
		last = l
		tells := p.failing.MatchString(l) || sure && p.located.MatchString(l)
		if len(lines) == mostFailures || !tells || p.passing.MatchString(l) {
			continue
		}
		if l = lasting(l); l != "" && !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 && sure && lasting(last) != "" {
		lines = []string{lasting(last)}
	}
	return lines
}

// lasting is a line without what differs from run to run.
func lasting(l string) string {
	p := patterns()
	for _, gone := range p.gone {
		l = gone.ReplaceAllString(l, " ")
	}
	l = p.folders.ReplaceAllString(l, "")
	l = p.number.ReplaceAllString(l, "$1")
	return strings.Join(strings.Fields(l), " ")
}

// mostKnown is how many mems are told beside a failure at most.
const mostKnown = 3

// KnownFailure tells what is known of how a command failed, without what is known already: mems with a cue that
// its error says, and false paths and mems that warn which quote it or have enough of its words. sure tells that
// it is certain that it failed.
func KnownFailure(source Source, stock *Stock, output string, sure bool, known func(Told) bool) []Told {
	lines := Fingerprint(output, sure)
	if len(lines) == 0 {
		return nil
	}
	warns := func(f *fact) bool { return f.falsePath || resources.MemType(f.mem.Object) == gotcha }
	messages := messagesIn(lines)
	return toldOf(recalls(source, stock, lines, warns, func(f *fact) bool { return warns(f) && f.quotes(messages) }), mostKnown, known)
}

// messages are the parts of a failure that say by themselves which one it is.
type messages struct {
	said  []string // in words, as memory.NormalText leaves them
	codes []string // names of errors: EADDRINUSE, ERR_MODULE_NOT_FOUND, TS2345
}

// leastSaid is how many words say by themselves what failed.
const leastSaid = 3

func messagesIn(lines []string) (m messages) {
	for _, l := range lines {
		for _, part := range strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune(`:;()[]{}"'`+"`", r) }) {
			if said := memory.NormalText(part); strings.Count(said, " ")+1 >= leastSaid {
				m.said = append(m.said, said)
			}
		}
		for _, code := range patterns().code.FindAllString(l, -1) {
			if !patterns().commonCode.MatchString(code) {
				m.codes = append(m.codes, code)
			}
		}
	}
	return m
}

// quotes reports whether a mem has one of the messages in what it says or is to be found by.
func (f *fact) quotes(m messages) bool {
	spec := &f.mem.Object.Spec
	text := spec.Title + "\n" + spec.Content
	if when := spec.AppliesWhen; when != nil {
		text += "\n" + strings.Join(slices.Concat(when.Cues, when.Symbols), "\n")
	}
	said := " " + memory.NormalText(lasting(text)) + " "
	return slices.ContainsFunc(m.said, func(message string) bool { return strings.Contains(said, " "+message+" ") }) ||
		slices.ContainsFunc(m.codes, func(code string) bool { return strings.Contains(text, code) })
}

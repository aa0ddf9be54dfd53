package packer

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// The output of a failed command contains one or several lines about the failure. Such a line
// without the parts that differ between runs (numbers, times, folders) is the fingerprint of the
// failure.

// Limits: bytes at the beginning and end of an output, number of lines, length of a line.
const (
	failureHead  = 8 << 10
	failureTail  = 8 << 10
	mostFailures = 5
	longestLine  = 400
)

// patterns returns the expressions that recognize failures. They are compiled at first use, so that
// commands without failures do not pay for it.
var patterns = sync.OnceValue(func() (p struct {
	failing, passing, located, folders, number, code, commonCode *regexp.Regexp
	gone                                                         []*regexp.Regexp
}) {
	// failing matches words of an error line. passing matches lines that contain such a word
	// without an error: "0 errors", "no failures".
	p.failing = regexp.MustCompile(`(?i)\b(error|errors|err|fail|failed|failure|fatal|panic|exception|traceback|cannot|can't|couldn't|unable|undefined|unresolved|unexpected|invalid|denied|refused|rejected|missing|timeout|timed out|not found|no such|does not exist|segmentation fault|killed|aborted|deadlock|conflict)\b|\w(Error|Exception)\b`)
	p.passing = regexp.MustCompile(`(?i)\b(0|no|without) (error|fail|warning)`)
	// Compilers, linters and tests begin a complaint with its place, whatever its words are.
	p.located = regexp.MustCompile(`^\S*\w\.\w+(:\d+){1,2}:\s`)
	// Parts that are removed: dates and times, durations, addresses and checksums, lines and
	// columns.
	for _, gone := range [...]string{
		`\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?)?\b|\b\d\d:\d\d(:\d\d([.,]\d+)?)?\b`,
		`\b\d+(\.\d+)?(ns|µs|us|ms|s|m|h)\b`,
		`\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{12,}\b`,
		`:\d+(:\d+)?`,
	} {
		p.gone = append(p.gone, regexp.MustCompile(gone))
	}
	p.folders = regexp.MustCompile(`(?:[A-Za-z]:)?[/\\](?:[\w.@+~-]+[/\\])+`) // folders of an absolute path
	p.number = regexp.MustCompile(`(^|[^\w.-])\d[\d.,]*\b`)
	// code matches names of errors that identify a failure, commonCode those that are too frequent.
	p.code = regexp.MustCompile(`\b(?:E[A-Z]{4,}|[A-Z]{2,5}\d{3,5}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b`)
	p.commonCode = regexp.MustCompile(`^(?:ERROR|ERRORS|EXCEPTION|ENOENT|EPERM|EACCES)$`)
	return p
})

// Fingerprint identifies a failure. It returns the lines of an output that report an error,
// without the parts that differ between runs and without duplicates. If sure is set, the command
// is known to have failed: lines that begin with a place in a file count as well, and without any
// such line the last line is returned.
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
		if l = stripVolatile(l); l != "" && !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 && sure && stripVolatile(last) != "" {
		lines = []string{stripVolatile(last)}
	}
	return lines
}

// stripVolatile returns a line without the parts that differ between runs.
func stripVolatile(l string) string {
	p := patterns()
	for _, gone := range p.gone {
		l = gone.ReplaceAllString(l, " ")
	}
	l = p.folders.ReplaceAllString(l, "")
	l = p.number.ReplaceAllString(l, "$1")
	return strings.Join(strings.Fields(l), " ")
}

// maxFailureMems is the maximal number of mems for a failure.
const maxFailureMems = 3

// FailureSnippets returns mems about the failure of a command, without those that are known: mems with
// a cue in its error lines, and false paths and gotchas that quote it or share enough words with
// it. sure is as in Fingerprint.
func FailureSnippets(source Source, stock *Stock, output string, sure bool, known func(Snippet) bool) []Snippet {
	lines := Fingerprint(output, sure)
	if len(lines) == 0 {
		return nil
	}
	warns := func(f *fact) bool { return f.falsePath || resources.MemType(f.mem.Object) == gotcha }
	messages := messagesIn(lines)
	return newSnippets(queryMatches(source, stock, lines, warns, func(f *fact) bool { return warns(f) && f.quotesMessage(messages) }), maxFailureMems, known)
}

// failureMessages holds the phrases and the error codes of a failure, by which mems about it are found.
type failureMessages struct {
	said  []string // phrases, in the form of memory.NormalText
	codes []string // names of errors: EADDRINUSE, ERR_MODULE_NOT_FOUND, TS2345
}

// minPhraseWords is the least number of words that identify a failure.
const minPhraseWords = 3

// messagesIn returns the phrases of at least minPhraseWords words, and the error codes, in the
// lines of a failure. It skips the common codes.
func messagesIn(lines []string) (m failureMessages) {
	for _, l := range lines {
		for _, part := range strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune(`:;()[]{}"'`+"`", r) }) {
			if said := memory.NormalText(part); strings.Count(said, " ")+1 >= minPhraseWords {
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

// quotesMessage reports whether a mem contains one of the messages in its text, cues or symbols.
func (f *fact) quotesMessage(m failureMessages) bool {
	spec := &f.mem.Object.Spec
	text := spec.Title + "\n" + spec.Content
	if when := spec.AppliesWhen; when != nil {
		text += "\n" + strings.Join(slices.Concat(when.Cues, when.Symbols), "\n")
	}
	said := " " + memory.NormalText(stripVolatile(text)) + " "
	return slices.ContainsFunc(m.said, func(message string) bool { return strings.Contains(said, " "+message+" ") }) ||
		slices.ContainsFunc(m.codes, func(code string) bool { return strings.Contains(text, code) })
}

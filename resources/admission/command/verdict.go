package command

import "strings"

// Verdicts on a command line, from the mildest to the strictest.
const (
	Allow = "allow"
	Ask   = "ask"  // a person decides; where nobody can be asked, it is denied
	Deny  = "deny" // it does not run
)

// Verdict is what the gate says of a command line.
type Verdict struct {
	Verdict    string `json:"verdict"`    // Allow, Ask or Deny
	Rule       string `json:"rule"`       // the rule that decided; "" for Allow
	Because    string `json:"because"`    // the part of the command that decided, and why; "" for Allow
	UseInstead string `json:"useInstead"` // one safe step; "" for Allow

	Part string `json:"-"` // of Because: the part of the command
	Why  string `json:"-"` // of Because: the reason
}

// Options are what the gate knows of the place in which a line would run. The zero
// Options are a repository in the home folder of somebody.
type Options struct {
	Dir  string // where it runs, absolute; "" for Root
	Root string // the repository's root, absolute; "" for Dir
	Home string // the person's home folder, absolute
	// Ignored reports whether git ignores a path, from the repository's root: what it
	// ignores can be made again. nil: only what is known as a build folder is.
	Ignored func(path string) bool
	// Rules are the rules as they hold here; nil for the shipped ones.
	Rules *Rules
}

// Finding is one objection to a line.
type Finding struct {
	Rule string
	Part string // the part of the command that the rule is about, resolved
	Why  string // in place of the rule's own reason, if it has to say more
}

// Judge says what the gate makes of a command line.
func Judge(line string, o Options) Verdict { return Read(line, o).Verdict }

// Read reads a command line and interprets it; see Line.Read.
func Read(line string, o Options) Reading {
	l, _ := Parse(line)
	return l.Read(o)
}

// Overwrite says what the gate makes of a tool that writes a file: what it makes of a
// redirection to it. The name is absolute, with its links followed.
func Overwrite(name string, o Options) Verdict {
	m := newMachine(o)
	m.overwrites(name, "", name)
	return m.rules.judge(m.found)
}

// Stricter returns the stricter of two verdicts; of two that are alike, v.
func (v Verdict) Stricter(than Verdict) Verdict {
	if strictness(than.Verdict) > strictness(v.Verdict) {
		return than
	}
	return v
}

// maxShown is how much of a command a verdict shows, in bytes.
const maxShown = 120

// shortened is a text as a verdict shows it: in one line, bounded.
func shortened(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown-3], "") + "..."
	}
	return s
}

// visible writes characters that are not to be seen as their code.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strange(r) != "" {
			b.WriteString("<U+" + strings.ToUpper(hexOf(r)) + ">")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hexOf(r rune) string {
	const digits = "0123456789abcdef"
	s := ""
	for ; r > 0 || len(s) < 4; r >>= 4 {
		s = string(digits[r&15]) + s
	}
	return s
}

// shownText writes marks as what they stand for.
func shownText(s string) string {
	if known(s) {
		return s
	}
	return strings.NewReplacer(unknown, "$?", fetched, "$(network)", private, "$(secret)", listed, "$(files)").Replace(s)
}

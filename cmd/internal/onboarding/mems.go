package onboarding

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// What a mem of onboarding may be: nobody has said it, a scanner saw it.
const (
	leastConfidence = 10
	eachEvidence    = 4  // what one place more adds
	mostConfidence  = 30 // however many there are
	mostEvidence    = 12
	mostListed      = 24
	mostTold        = 300 // bytes of it that a plan shows
)

// mems plans what is remembered of the repository: what it is made of, how it is laid out, how it is
// built. One that is there by its name is left alone.
func (p *Plan) mems(f Found, known Known) {
	for _, m := range []*resources.Mem{stack(f), layoutOf(f), conventions(f)} {
		if m == nil || known.Exists(m.Key()) {
			continue
		}
		p.Steps = append(p.Steps, Step{Do: "remember", What: m.Metadata.Name, Why: fmt.Sprintf("%s, confidence %d: %s", m.Spec.Type, *m.Spec.Confidence, words(m.Spec.Content, mostTold)), Object: m})
	}
}

// memOf is a mem with the evidence of so many places; nil where nothing was found.
func memOf(name, kind, intro string, listed, places []string) *resources.Mem {
	if len(listed) == 0 {
		return nil
	}
	m := resources.New[*resources.Mem](resources.Mems, name)
	more := ""
	if n := len(listed) - mostListed; n > 0 {
		listed, more = listed[:mostListed], fmt.Sprintf(", and %d more", n)
	}
	m.Spec.Type, m.Spec.Content, m.Spec.Source = kind, intro+strings.Join(listed, ", ")+more+".", "idumb onboard"
	seen := map[string]bool{}
	for _, place := range places {
		e := noted(place)
		if place == "" || seen[e.Path] || len(m.Spec.Evidence) == mostEvidence {
			continue
		}
		seen[e.Path] = true
		m.Spec.Evidence = append(m.Spec.Evidence, e)
	}
	confidence := min(mostConfidence, leastConfidence+eachEvidence*len(places))
	m.Spec.Confidence = &confidence
	return m
}

func stack(f Found) *resources.Mem {
	var listed, places []string
	for _, t := range f.Technologies {
		text := t.String()
		if t.Role != technologies.Runtime && t.Role != "" {
			text += " (" + t.Role + ")"
		}
		listed = append(listed, words(text, mostPlain))
		if len(t.Evidence) > 0 {
			places = append(places, t.Evidence[0])
		}
	}
	return memOf("onboard-stack", "tech-stack", "The repository is made with ", listed, places)
}

func layoutOf(f Found) *resources.Mem {
	var listed, places []string
	for _, w := range f.Workspaces {
		text := w.Dir
		if w.Dir == "." {
			text = "the root"
		}
		listed = append(listed, words(text+" ("+w.Kind+")", mostPlain))
		places = append(places, w.Evidence)
	}
	m := memOf("onboard-layout", "architecture", "Its workspaces are ", listed, places)
	if m == nil {
		return nil
	}
	for _, part := range []struct {
		intro    string
		patterns []string
	}{{" Source is in ", f.Sources}, {" Tests are in ", f.Tests}} {
		if len(part.patterns) > 0 {
			m.Spec.Content += part.intro + strings.Join(part.patterns, ", ") + "."
		}
	}
	return m
}

func conventions(f Found) *resources.Mem {
	var listed, places []string
	for _, c := range chosen(f.Commands) {
		listed = append(listed, "`"+c.Run+"`"+in(c.Dir)+" to "+c.For)
		places = append(places, c.Evidence)
	}
	return memOf("onboard-commands", "convention", "Nobody ran them yet: ", listed, places)
}

// chosen are the commands to name: the first of a purpose in a folder, where it is nothing but one.
func chosen(all []technologies.Command) (first []technologies.Command) {
	seen := map[string]bool{}
	for _, c := range all {
		key := c.Dir + "\x00" + c.For
		if seen[key] || c.For == technologies.ToRun || !plain(c.Run) || !plain(c.Dir) {
			continue
		}
		seen[key] = true
		first = append(first, c)
	}
	return first
}

func in(dir string) string {
	if dir == "." {
		return ""
	}
	return " in " + dir
}

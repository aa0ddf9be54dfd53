package onboarding

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// Limits of the mems of onboarding. Their confidence is low, because a scanner wrote them.
const (
	leastConfidence = 10
	eachEvidence    = 4  // confidence added for each further place
	mostConfidence  = 30 // upper limit for any number of places
	mostEvidence    = 12
	mostListed      = 24
	mostTold        = 300 // length of the content in a plan, in bytes
)

// mems plans the mems about the repository: technologies, layout, commands. It skips existing mems.
func (p *Plan) mems(f Found, known Known) {
	for _, m := range []*resources.Mem{stack(f), layoutOf(f), conventions(f)} {
		if m == nil || known.Exists(m.Key()) {
			continue
		}
		p.Steps = append(p.Steps, Step{Do: "remember", What: m.Metadata.Name, Why: fmt.Sprintf("%s, confidence %d: %s", m.Spec.Type, *m.Spec.Confidence, words(m.Spec.Content, mostTold)), Object: m})
	}
}

// memOf returns a mem with the places as evidence, or nil if listed is empty.
func memOf(name, kind, intro string, listed, places []string) *resources.Mem {
	if len(listed) == 0 {
		return nil
	}
	m := resources.New[*resources.Mem](resources.Mems, name)
	more := ""
	if n := len(listed) - mostListed; n > 0 {
		listed, more = listed[:mostListed], fmt.Sprintf(", and %d more", n)
	}
	m.Spec.Type, m.Spec.Content, m.Spec.Source = kind, intro+strings.Join(listed, ", ")+more+".", memory.SourceOnboarding
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

// chosen returns the commands to name: the first plain command of each purpose in each directory.
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

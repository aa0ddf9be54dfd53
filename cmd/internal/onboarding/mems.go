package onboarding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// Limits of the mems of onboarding. Their confidence is low, because a scanner wrote them.
const (
	minConfidence      = 10
	confidencePerPlace = 4  // confidence added for each further place
	maxConfidence      = 30 // upper limit for any number of places
	maxEvidence        = 12
	maxListed          = 24
	maxContent         = 300 // length of the content in a plan, in bytes
)

// mems plans the mems about the repository: technologies, layout, planning frameworks, commands.
// Each is related to the ones before it. It skips existing mems.
func (p *Plan) mems(f ScanResult, known Existing) {
	var names []string
	for _, m := range []*resources.Mem{stackMem(f), layoutMem(f), frameworksMem(f), commandsMem(f)} {
		if m == nil {
			continue
		}
		m.Spec.RelatedTo = slices.Clone(names)
		names = append(names, m.Metadata.Name)
		if known.Exists(m.Key()) {
			continue
		}
		p.Steps = append(p.Steps, Step{Action: "remember", Subject: m.Metadata.Name, Reason: fmt.Sprintf("%s, confidence %d: %s", m.Spec.Type, *m.Spec.Confidence, words(m.Spec.Content, maxContent)), Object: m})
	}
}

// memOf returns a mem with the places as evidence, or nil if listed is empty.
func memOf(name, kind, intro string, listed, places []string) *resources.Mem {
	if len(listed) == 0 {
		return nil
	}
	m := resources.New[*resources.Mem](resources.Mems, name)
	more := ""
	if n := len(listed) - maxListed; n > 0 {
		listed, more = listed[:maxListed], fmt.Sprintf(", and %d more", n)
	}
	m.Spec.Type, m.Spec.Content, m.Spec.Source = kind, intro+strings.Join(listed, ", ")+more+".", memory.SourceOnboarding
	seen := map[string]bool{}
	for _, place := range places {
		e := evidenceAt(place)
		if place == "" || seen[e.Path] || len(m.Spec.Evidence) == maxEvidence {
			continue
		}
		seen[e.Path] = true
		m.Spec.Evidence = append(m.Spec.Evidence, e)
	}
	confidence := min(maxConfidence, minConfidence+confidencePerPlace*len(places))
	m.Spec.Confidence = &confidence
	return m
}

// stackMem returns the mem that lists the technologies, nil if none was found.
func stackMem(f ScanResult) *resources.Mem {
	var listed, places []string
	for _, t := range f.Technologies {
		text := t.String()
		if t.Role != technologies.Runtime && t.Role != "" {
			text += " (" + t.Role + ")"
		}
		listed = append(listed, words(text, maxPlain))
		if len(t.Evidence) > 0 {
			places = append(places, t.Evidence[0])
		}
	}
	return memOf("onboard-stack", "tech-stack", "The repository is made with ", listed, places)
}

// layoutMem returns the mem that lists the workspaces and the directories with source files and
// tests, nil if no workspace was found.
func layoutMem(f ScanResult) *resources.Mem {
	var listed, places []string
	for _, w := range f.Workspaces {
		text := w.Dir
		if w.Dir == "." {
			text = "the root"
		}
		listed = append(listed, words(text+" ("+w.Kind+")", maxPlain))
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

// frameworksMem returns the mem about the planning frameworks, nil if none was found.
func frameworksMem(f ScanResult) *resources.Mem {
	var listed, places []string
	for _, w := range f.Frameworks {
		listed = append(listed, words(w.Name, maxPlain))
		places = append(places, w.Evidence...)
	}
	return memOf("onboard-frameworks", "architecture", "Its plans and rules follow ", listed, places)
}

// commandsMem returns the mem about the build, test and other commands of the repository.
func commandsMem(f ScanResult) *resources.Mem {
	var listed, places []string
	for _, c := range preferredCommands(f.Commands) {
		listed = append(listed, "`"+c.Run+"`"+dirSuffix(c.Dir)+" to "+c.Purpose)
		places = append(places, c.Evidence)
	}
	return memOf("onboard-commands", "convention", "Found by a scan, not run yet: ", listed, places)
}

// preferredCommands returns the commands to name: the first plain command of each purpose in each directory.
func preferredCommands(all []technologies.Command) (first []technologies.Command) {
	seen := map[string]bool{}
	for _, c := range all {
		key := c.Dir + "\x00" + c.Purpose
		if seen[key] || c.Purpose == technologies.ToRun || !technologies.IsPlain(c.Run) || !technologies.IsPlain(c.Dir) {
			continue
		}
		seen[key] = true
		first = append(first, c)
	}
	return first
}

// dirSuffix returns " in DIR". It returns "" for the root.
func dirSuffix(dir string) string {
	if dir == "." {
		return ""
	}
	return " in " + dir
}

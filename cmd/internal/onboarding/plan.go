package onboarding

import (
	"fmt"

	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// Known is what a plan has to know of what is there already.
type Known interface {
	Exists(key resources.Key) bool
	ArtifactsAt(path string) []*resources.Artifact
	// DecisionAt reports whether a decision names a document as its record.
	DecisionAt(path string) bool
}

// Step is one thing to do. Exactly one of Adoption, Object and Block is set.
type Step struct {
	Do   string // adopt, decide, remember, fit, plan, task, command
	What string // of what: a file or a name
	Why  string // for people; it may hold what strangers wrote

	Adoption *artifacts.Adoption
	State    string           // of an adopted document, where it is over; "" otherwise
	Object   resources.Object // a new one
	Block    string           // what stands between the markers in the file
}

// Plan is what onboarding does, in this order, and what it leaves alone.
type Plan struct {
	Steps []Step
	Left  []string // sentences for people: documents that were not adopted, and why
}

// Commands adds the files of commands that get the lines of VerifyOf.
func (p *Plan) Commands(f Found, files []string) {
	for _, file := range files {
		p.Steps = append(p.Steps, Step{Do: "command", What: file, Why: "lints, checks, builds and tests, by what this repository has", Block: VerifyOf(f)})
	}
}

// Make makes the plan for a repository. profiles are the agents' files that get a block, and primary
// is the planning framework that rules (config.planning.primary). What is there already is no step.
func Make(f Found, known Known, profiles []string, primary string) Plan {
	var p Plan
	adopted := p.documents(f, known, primary)
	open := p.decisions(f, known)
	p.mems(f, known)
	block := BlockOf(f)
	for _, file := range profiles {
		p.Steps = append(p.Steps, Step{Do: "fit", What: file, Why: "commands and paths of this repository, between markers", Block: block})
	}
	p.bootstrap(f, known, bootstrapFacts{adopted: adopted, decisions: open, primary: primary})
	return p
}

// documents plans the adoption of planning documents; it returns those that are new.
func (p *Plan) documents(f Found, known Known, primary string) (adopted []string) {
	rules, _ := documents.Ruling(f.Frameworks, primary)
	left := map[string]int{}
	var planned []documents.Document
	for _, d := range f.Documents {
		switch _, planning := rank(d.Class); {
		case !planning:
		case d.Framework != "" && d.Framework != rules:
			left[d.Framework]++
		default:
			planned = append(planned, d)
		}
	}
	for _, framework := range documents.Planning(f.Frameworks) {
		if n := left[framework]; n > 0 {
			p.Left = append(p.Left, fmt.Sprintf("%d documents of %s, which does not rule here: they stay what they are", n, framework))
		}
	}
	for _, d := range inOrder(planned) {
		if len(known.ArtifactsAt(d.Path)) > 0 {
			continue
		}
		p.Steps = append(p.Steps, adoption(d))
		adopted = append(adopted, d.Path)
	}
	return adopted
}

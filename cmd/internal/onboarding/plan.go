package onboarding

import (
	"fmt"

	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// Existing gives access to the existing objects.
type Existing interface {
	Exists(key resources.Key) bool
	ArtifactsAt(path string) []*resources.Artifact
	// DecisionAt reports whether a decision has a document as its record.
	DecisionAt(path string) bool
}

// Step is one change. Exactly one of Adoption, Object and Block is set.
type Step struct {
	Action  string // adopt, decide, remember, fit, plan, task, delegate, command or skill
	Subject string // name of the file or the object
	Reason  string // explanation for users; may contain untrusted text

	Adoption *artifacts.Adoption
	State    string           // state of an adopted document that is no longer in effect; otherwise empty
	Object   resources.Object // new object
	Block    string           // text between the markers in the file
}

// Plan lists the steps of onboarding in their order, and the documents that it skips.
type Plan struct {
	Steps   []Step
	Skipped []string // skipped documents with the reason, as sentences for users
}

// Write adds steps that write a text into files of agents. action is command or skill.
func (p *Plan) Write(action, reason, text string, files []string) {
	for _, file := range files {
		p.Steps = append(p.Steps, Step{Action: action, Subject: file, Reason: reason, Block: text})
	}
}

// Make returns the plan for a repository. profiles are the agents' files that get a block, and
// primary is the planning framework in effect (config.planning.primary). Existing objects get no
// step.
func Make(f ScanResult, known Existing, profiles []string, primary string) Plan {
	var p Plan
	adopted := p.documents(f, known, primary)
	open := p.decisions(f, known)
	p.mems(f, known)
	p.Write("fit", "commands and paths of this repository, between markers", BlockOf(f), profiles)
	p.bootstrap(f, known, bootstrapFacts{adopted: adopted, decisions: open, primary: primary})
	return p
}

// documents plans the adoption of planning documents. It returns the paths of the new ones.
func (p *Plan) documents(f ScanResult, known Existing, primary string) (adopted []string) {
	rules, _ := documents.FrameworkInUse(f.Frameworks, primary)
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
			p.Skipped = append(p.Skipped, fmt.Sprintf("%d documents of %s: config.planning.primary does not name this framework", n, framework))
		}
	}
	for _, d := range inChainOrder(planned) {
		if len(known.ArtifactsAt(d.Path)) > 0 {
			continue
		}
		p.Steps = append(p.Steps, adoption(d))
		adopted = append(adopted, d.Path)
	}
	return adopted
}

package tools

import (
	"fmt"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// artifactActions contains the actions on an artifact, with their required arguments and their
// functions.
var artifactActions = [...]struct {
	do    string
	needs []string
	run   func(*call) (answer, error)
}{
	{"adopt", list("file"), adoptDocument},
	{"confirm", list("name"), documentAct("confirm")},
	{"supersede", list("name file"), supersedeDocument},
	{"abandon", list("name reason"), documentAct("abandon-artifact")},
}

// changeArtifact adopts, confirms, supersedes or abandons a planning document.
func changeArtifact(c *call) (answer, error) {
	for _, deed := range artifactActions {
		if deed.do != c.args.text("do") {
			continue
		}
		for _, name := range deed.needs {
			if !c.args.has(name) {
				return nil, refusal(fmt.Sprintf("%s %s %s needs %q.", c.tool.name, c.action.name, deed.do, name), "It is missing.", c.repeat(name, c.example(name)), "govern_plan artifact")
			}
		}
		return deed.run(c)
	}
	return nil, refusal("You called govern_plan artifact without an operation.", `"do" is missing.`, c.repeat("do", "adopt"), "govern_plan artifact")
}

// documentAct returns the function that does an act to the artifact of the call, or to its section.
func documentAct(name string) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		act, _ := acts.Named(acts.All(), name)
		key := c.artifactKey()
		if name == "confirm" && c.args.has("section") {
			key.Name += "#" + c.args.text("section")
		}
		return c.doAct(act, key)
	}
}

// adoption returns the document that the call names.
func (c *call) adoption() artifacts.Adoption {
	a := artifacts.Adoption{Path: c.args.text("file"), DerivedFrom: c.args.texts("derivedFrom"), Covers: c.args.texts("covers")}
	if c.args.text("do") == "adopt" {
		a.Name = c.artifactKey().Name
	}
	return a
}

// artifactKey returns the key of the artifact that the call names.
func (c *call) artifactKey() resources.Key {
	return keyOf(resources.Artifacts, c.args.text("name"))
}

// adoptDocument creates or updates the artifact of a document.
func adoptDocument(c *call) (answer, error) {
	return c.adopt(func(v artifacts.View) (*resources.Artifact, error) { return artifacts.Adopt(c.adoption(), v) })
}

// supersedeDocument replaces the artifact that the call names by the artifact of another document.
func supersedeDocument(c *call) (answer, error) {
	return c.adopt(func(v artifacts.View) (*resources.Artifact, error) {
		old, err := artifacts.Find(c.artifactKey().Name, v)
		if err != nil {
			return nil, err
		}
		return artifacts.Supersede(old, c.adoption(), c.args.text("reason"), v)
	})
}

// adopt writes the artifact that decide returns, and answers with it.
func (c *call) adopt(decide func(artifacts.View) (*resources.Artifact, error)) (answer, error) {
	result, err := c.repo.Adopt(c.ctx, decide)
	if err != nil {
		return nil, c.artifactFailed(err)
	}
	a := result.New.(*resources.Artifact)
	return objectAnswer(a).add("path", admission.Plain(a.Spec.Path)).add("replaces", a.Spec.Supersedes), nil
}

// artifactFailed explains why an artifact was not written and names a step that the tool offers.
func (c *call) artifactFailed(err error) error {
	key := c.artifactKey()
	r, ok := refusalIn(err)
	if !ok {
		return c.explainWrite(err, key)
	}
	return refusal(attemptOf(r), r.Why+"; "+r.Step+".", c.insteadOfChanging(r.Cause, key), key.String())
}

// insteadOfChanging returns the step for an agent that tried an impossible change to an artifact.
func (c *call) insteadOfChanging(cause apierrors.Cause, key resources.Key) string {
	switch a, known := c.gate.View().Artifact(key.Name); {
	case cause == artifacts.NoReason:
		return c.repeat("reason", "why it is no longer in effect")
	case cause == artifacts.NoSection && c.args.has("section"):
		return c.repeatWithout("section")
	case cause == artifacts.NoSection && c.args.has("derivedFrom"):
		return c.repeatWithout("derivedFrom")
	case !known || cause == artifacts.NoDocument:
		return c.repeat("file", "a Markdown file of the repository")
	case cause == artifacts.EndedCause:
		if _, head := status.Replaced(a, c.gate.View()); head != "" {
			return c.repeat("name", head)
		}
		return step("govern_plan", "action", "artifact", "do", "adopt", "file", a.Spec.Path)
	}
	return step("govern_plan", "action", "artifact", "do", "abandon", "name", key.Name, "reason", "its source is no longer valid")
}

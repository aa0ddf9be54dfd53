package resources_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func decoded(t testing.TB, kind, name, text string) resources.Object {
	t.Helper()
	o, _, err := resources.Decode(resources.Key{Kind: kind, Name: name}, []byte(text))
	require.NoError(t, err)
	return o
}

func TestValidateSpeaksAsKubernetesDoes(t *testing.T) {
	long := strings.Repeat("é", 65536)
	task := func(spec string) string { return `{"spec": {"workPlan": "p", "expectedOutput": "x"` + spec + `}}` }
	for _, c := range []struct{ name, kind, in, want string }{
		{"good", resources.Tasks, task(""), ""},
		{"required", resources.Tasks, `{"spec": {"workPlan": "p"}}`, "spec.expectedOutput: Required value"},
		{"blank is missing", resources.Tasks, `{"spec": {"workPlan": "p", "expectedOutput": "  "}}`, "spec.expectedOutput: Required value"},
		{"required list", resources.ChainRules, `{"spec": {"level": "WARN", "when": {"commands": ["make"]}, "because": "x", "requires": []}}`, "spec.requires: Required value"},
		{"a plan without criteria", resources.WorkPlans, `{"spec": {"title": "t", "acceptance": []}}`, ""},
		{"a criterion that nothing shows", resources.WorkPlans, `{"spec": {"title": "t", "acceptance": ["a"], "met": [{"criterion": "a"}]}}`, "spec.met[0].evidence: Required value"},
		{"required inside", resources.Tasks, task(`, "temporalGate": {}`), "spec.temporalGate.after: Required value"},
		{"enum", resources.Tasks, task(`, "state": "done"`), `spec.state: Unsupported value: "done": supported values: "planned", "active", "review", "completed", "failed", "abandoned"`},
		{"duplicate", resources.Tasks, task(`, "dependsOn": ["a", "b", "a"]`), `spec.dependsOn[2]: Duplicate value: "a"`},
		{"itself", resources.Tasks, task(`, "dependsOn": ["foo"]`), `spec.dependsOn[0]: Invalid value: "foo": must not name itself`},
		{"gate on itself", resources.Tasks, task(`, "temporalGate": {"after": "foo"}`), `spec.temporalGate.after: Invalid value: "foo": must not name itself`},
		{"reference that is no name", resources.Tasks, task(`, "dependsOn": ["../x"]`), `spec.dependsOn[0]: Invalid value: "../x": a name consists of lower case letters, digits, '-' and '.', and starts with a letter or a digit (for example "build-login-form")`},
		{"empty element", resources.Tasks, task(`, "allowedTools": [""]`), `spec.allowedTools[0]: Invalid value: "": must not be empty`},
		{"duration", resources.Tasks, task(`, "staleAfter": "2 days"`), `spec.staleAfter: Invalid value: "2 days": must be a positive duration as Go writes it, such as "72h" or "30m"`},
		{"negative duration", resources.Tasks, task(`, "staleAfter": "-1h"`), `spec.staleAfter: Invalid value: "-1h": must be a positive duration as Go writes it, such as "72h" or "30m"`},
		{"glob that leaves", resources.Tasks, task(`, "fileLocks": ["../x/**"]`), `spec.fileLocks[0]: Invalid value: "../x/**": must not leave the repository: ".." is not allowed`},
		{"evidence of nothing", resources.Tasks, task(`, "evidence": [{}]`), `spec.evidence[0]: Invalid value: exactly one of "file" and "command" must be given`},
		{"evidence of both", resources.Tasks, task(`, "evidence": [{"file": "a", "command": "b"}]`), `spec.evidence[0]: Invalid value: exactly one of "file" and "command" must be given`},
		{"a file cannot succeed", resources.Tasks, task(`, "evidence": [{"file": "a", "succeeds": true}]`), `spec.evidence[0].succeeds: Forbidden: only a "command" can succeed`},
		{"bounds", resources.Mems, `{"spec": {"content": "x", "confidence": 101}}`, "spec.confidence: Invalid value: 101: must be at most 100"},
		{"below", resources.Mems, `{"spec": {"content": "x", "confidence": -1}}`, "spec.confidence: Invalid value: -1: must be at least 0"},
		{"a text that is as long as it may be", resources.Tasks, task(`, "description": "` + long + `"`), ""},
		{"a text that is too long", resources.Tasks, task(`, "notes": "` + long + `x"`), "spec.notes: Too long: it has 65537 characters and must have at most 65536; put the rest into a file and name it"},
		{"supersedes itself", resources.Mems, `{"spec": {"content": "x", "supersedes": "foo"}}`, `spec.supersedes: Invalid value: "foo": must not name itself`},
		{"a decision", resources.Decisions, `{"spec": {"title": "t", "dependsOn": ["a", "decisions/b", "artifacts/prd#Auth > Tokens"], "avoids": ["next@<16"], "evidence": ["said so"]}}`, ""},
		{"a decision that depends on itself", resources.Decisions, `{"spec": {"title": "t", "dependsOn": ["decisions/foo"]}}`, `spec.dependsOn[0]: Invalid value: "decisions/foo": must not name itself`},
		{"a decision that depends on a task", resources.Decisions, `{"spec": {"title": "t", "dependsOn": ["tasks/x"]}}`, `spec.dependsOn[0]: Invalid value: "tasks/x": a decision depends on decisions, and on artifacts and their sections`},
		{"a section without a name", resources.Decisions, `{"spec": {"title": "t", "dependsOn": ["artifacts/prd#"]}}`, `spec.dependsOn[0]: Invalid value: "artifacts/prd#": has no section after the #`},
		{"a decision that avoids what it uses", resources.Decisions, `{"spec": {"title": "t", "uses": ["a"], "avoids": ["b", "a"]}}`, `spec.avoids[1]: Invalid value: "a": also listed in spec.uses[0]`},
		{"a decision that replaces itself", resources.Decisions, `{"spec": {"title": "t", "supersedes": "foo"}}`, `spec.supersedes: Invalid value: "foo": must not name itself`},
		{"a document", resources.Artifacts, `{"spec": {"path": "docs/plan.md", "type": "plan", "covers": ["tasks/a", "plan/b"], "derivedFrom": [{"artifact": "prd", "section": "Auth"}, {"artifact": "prd", "section": "Auth", "of": "Tokens"}]}}`, ""},
		{"a document outside", resources.Artifacts, `{"spec": {"path": "../plan.md"}}`, `spec.path: Invalid value: "../plan.md": must not leave the repository: ".." is not allowed`},
		{"a document of iDumb's own", resources.Artifacts, `{"spec": {"path": ".idumb/README.md"}}`, `spec.path: Invalid value: ".idumb/README.md": is no document: .idumb holds what iDumb keeps`},
		{"a document by a detour", resources.Artifacts, `{"spec": {"path": "docs//plan.md"}}`, `spec.path: Invalid value: "docs//plan.md": must be a clean path with /, such as docs/plan.md`},
		{"a document of a session", resources.Artifacts, `{"spec": {"path": "plan.md", "covers": ["sessions/a"]}}`, `spec.covers[0]: Invalid value: "sessions/a": must name a workplan, task, mem, decision or artifact`},
		{"derived twice", resources.Artifacts, `{"spec": {"path": "plan.md", "derivedFrom": [{"artifact": "prd"}, {"artifact": "prd", "sha256": "1"}]}}`, `spec.derivedFrom[1]: Duplicate value: "prd"`},
		{"derived from itself", resources.Artifacts, `{"spec": {"path": "plan.md", "derivedFrom": [{"artifact": "foo"}]}}`, `spec.derivedFrom[0].artifact: Invalid value: "foo": must not name itself`},
		{"phases twice", resources.WorkPlans, `{"spec": {"title": "t", "acceptance": ["a"], "phases": [{"name": "a"}, {"name": "a"}]}}`, `spec.phases[1].name: Duplicate value: "a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, e := range resources.Validate(decoded(t, c.kind, "foo", c.in)) {
				got = append(got, e.Error())
			}
			assert.Equal(t, c.want, strings.Join(got, "\n"))
		})
	}
}

func TestReadGivesAnInvalidValueItsPlace(t *testing.T) {
	_, _, err := resources.Read(foo, []byte("{\"spec\": {\n\"workPlan\": \"p\",\n\"state\": \"actve\",\n\"expectedOutput\": \"x\"}}"))
	assert.EqualError(t, err, `:3:10: spec.state: Unsupported value: "actve": supported values: "planned", "active", "review", "completed", "failed", "abandoned"; did you mean "active"?`)
}

func TestInvalidErrorIsKubectls(t *testing.T) {
	one := resources.Invalid(foo, []resources.FieldError{{Field: "spec.dependsOn[1]", Detail: `Not found: "bar"`}})
	assert.EqualError(t, one, `The Task "foo" is invalid: spec.dependsOn[1]: Not found: "bar"`)
	two := resources.Invalid(foo, []resources.FieldError{{Field: "a", Detail: "b"}, {Field: "c", Detail: "d"}})
	assert.EqualError(t, two, "The Task \"foo\" is invalid: \n* a: b\n* c: d")
	assert.NoError(t, resources.Invalid(foo, nil))
}

// world is a handful of objects to check against.
type world map[resources.Key]resources.Object

func (w world) Exists(key resources.Key) bool                  { _, ok := w[key]; return ok }
func (w world) Get(key resources.Key) (resources.Object, bool) { o, ok := w[key]; return o, ok }

func (w world) PlanTasks(plan string) (names []string) {
	for key, o := range w {
		if t, ok := o.(*resources.Task); ok && t.Spec.WorkPlan == plan {
			names = append(names, key.Name)
		}
	}
	slices.Sort(names)
	return names
}
func (w world) add(o resources.Object) { w[o.Key()] = o }

func TestCheckReferencesNamesEachThatDangles(t *testing.T) {
	w := world{}
	w.add(decoded(t, resources.Tasks, "a", goodTask))
	o := decoded(t, resources.Tasks, "foo", `{"spec": {"workPlan": "auth", "expectedOutput": "x", "dependsOn": ["a", "bar"], "temporalGate": {"after": "gone"}, "result": {"anchorsCreated": ["an"]}}}`)
	var got []string
	for _, e := range resources.CheckReferences(o, w) {
		got = append(got, e.Error())
	}
	assert.Equal(t, []string{`spec.workPlan: Not found: "auth"`, `spec.dependsOn[1]: Not found: "bar"`, `spec.temporalGate.after: Not found: "gone"`, `spec.result.anchorsCreated[0]: Not found: "an"`}, got)
}

func TestRelatedToTakesKindsAndBareNames(t *testing.T) {
	o := decoded(t, resources.Mems, "m", `{"spec": {"content": "x", "relatedTo": ["other", "task/a", "wp/b", "file/c"]}}`)
	var got []string
	for _, r := range resources.References(o) {
		got = append(got, r.Field+"="+r.Key.String())
	}
	assert.Equal(t, []string{"spec.relatedTo[0]=mems/other", "spec.relatedTo[1]=tasks/a", "spec.relatedTo[2]=workplans/b", "spec.relatedTo[3]=file/c"}, got)
}

func TestCheckCycleWritesTheCircleOut(t *testing.T) {
	w := world{}
	depends := func(name, on string) resources.Object {
		return decoded(t, resources.Tasks, name, `{"spec": {"workPlan": "p", "expectedOutput": "x", "dependsOn": ["`+on+`"]}}`)
	}
	w.add(depends("b", "c"))
	w.add(decoded(t, resources.Tasks, "c", `{"spec": {"workPlan": "p", "expectedOutput": "x", "temporalGate": {"after": "a"}}}`))
	errs := status.CheckCycle(depends("a", "b"), w)
	require.Len(t, errs, 1)
	assert.EqualError(t, errs[0], `spec.dependsOn: Invalid value: "b": would make a circle: a -> b -> c -> a`)
	assert.Empty(t, status.CheckCycle(depends("d", "b"), w), "what leads into a circle is not in it")
}

func TestALongCircleIsCut(t *testing.T) {
	w := world{}
	for i := range 10_000 {
		w.add(decoded(t, resources.Tasks, fmt.Sprintf("t%d", i), fmt.Sprintf(`{"spec": {"workPlan": "p", "expectedOutput": "x", "dependsOn": ["t%d"]}}`, (i+1)%10_000)))
	}
	o, _ := w.Get(resources.Key{Kind: resources.Tasks, Name: "t0"})
	errs := status.CheckCycle(o, w)
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0].Error(), "t0 -> t1 -> t2 -> t3 -> t4 -> t5 -> t6 -> t7 -> ... (10000 in all) -> t0")
}

func TestNearest(t *testing.T) {
	words := []string{"workPlan", "expectedOutput", "dependsOn", "state"}
	for in, want := range map[string]string{"workplan": "workPlan", "wrokPlan": "workPlan", "dependson": "dependsOn", "depends": "dependsOn", "stat": "state", "zebra": ""} {
		assert.Equal(t, want, resources.Nearest(in, words), in)
	}
}

func TestEveryFieldIsExplained(t *testing.T) {
	var walk func(path string, f *resources.Field)
	walk = func(path string, f *resources.Field) {
		assert.NotEmpty(t, f.Doc, "%s has no sentence", path)
		for _, child := range f.Fields {
			walk(path+"."+child.Name, child)
		}
	}
	for _, k := range resources.Kinds() {
		walk(k.Singular, k.Fields())
	}
}

func TestExplainLooksLikeKubectl(t *testing.T) {
	got, err := resources.Explain("tn.spec.temporalGate", false)
	require.NoError(t, err)
	assert.Equal(t, `GROUP:      idumb.dev
KIND:       TaskNode
VERSION:    v1alpha1

FIELD: temporalGate <TemporalGate>

DESCRIPTION:
    A task that must be completed first, with the reason.

FIELDS:
  after	<string> -required-
    A task that must be completed first. Names one of tasks.

  reason	<string>
    The reason for the gate, shown to users and agents that wait.

`, got)
	_, err = resources.Explain("task.spec.colour", false)
	assert.ErrorContains(t, err, `field "spec.colour" does not exist; TaskSpec has: workPlan, phase`)
}

func TestSchemaSaysWhatTheTableSays(t *testing.T) {
	for _, k := range resources.Kinds() {
		var s struct {
			Properties struct {
				Spec struct {
					Required             []string
					AdditionalProperties *bool
					Properties           map[string]json.RawMessage
				}
			}
		}
		require.NoError(t, json.Unmarshal(resources.Schema(k), &s))
		spec, _ := k.Fields().Field("spec")
		assert.Len(t, s.Properties.Spec.Properties, len(spec.Fields), k.Name)
		for _, f := range spec.Fields {
			if f.Required {
				assert.Contains(t, s.Properties.Spec.Required, f.Name)
			}
		}
		require.NotNil(t, s.Properties.Spec.AdditionalProperties)
		assert.False(t, *s.Properties.Spec.AdditionalProperties)
	}
}

func TestDerivedUIDIsAUUIDOfTheKey(t *testing.T) {
	uid := resources.DerivedUID(foo)
	assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, uid)
	assert.Equal(t, uid, resources.DerivedUID(foo))
	assert.NotEqual(t, uid, resources.DerivedUID(resources.Key{Kind: resources.Mems, Name: "foo"}))
}

func TestNamesAreNeverGivenTwice(t *testing.T) {
	var namer resources.Namer
	kind, _ := resources.KindOf(resources.Tasks)
	now := time.UnixMilli(1763712345678)
	assert.Equal(t, "tn-1763712345678-1", namer.Name(kind, now))
	assert.Equal(t, "tn-1763712345678-2", namer.Name(kind, now))
}

func TestEffectiveConfigFillsInWhatIsMissing(t *testing.T) {
	defaults := resources.DefaultConfig()
	assert.Equal(t, &defaults, resources.EffectiveConfig(nil))
	config := decoded(t, resources.Configs, resources.ConfigName, `{"spec": {"mode": "log", "contextShare": 20}}`).(*resources.Config)
	got := resources.EffectiveConfig(config)
	assert.Equal(t, "log", got.Mode)
	assert.Equal(t, 20, got.ContextShare)
	assert.Equal(t, "solo", got.DefaultRole)
	assert.Equal(t, 200000, got.ContextWindow)
	assert.Equal(t, 512, got.Controller.MemoryMB)
	assert.Equal(t, "48h", resources.EffectiveConfig(&resources.Config{Spec: resources.ConfigSpec{PurgeAfter: "soon"}}).PurgeAfter, "that is no duration")
	assert.Empty(t, config.Spec.DefaultRole, "the object itself is shared and stays as it is")
}

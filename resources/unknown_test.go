package resources_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// newerTask is a task as a newer build may write it: fields that this one does not know
// stand in every sort of object that a file has.
const newerTask = `{
  "apiVersion": "idumb.dev/v1alpha1",
  "kind": "TaskNode",
  "metadata": {
    "name": "foo",
    "generation": 7
  },
  "spec": {
    "workPlan": "auth",
    "expectedOutput": "a form",
    "temporalGate": {
      "after": "schema",
      "until": "2027-01-01"
    },
    "evidence": [
      {
        "file": "a.go"
      },
      {
        "file": "b.go",
        "weight": 1.50
      }
    ],
    "budget": {"tokens":12345678901234567890,   "hours" : [1, 2.0]}
  },
  "sync": null
}
`

// kindSeeds has of each kind a file that is valid.
var kindSeeds = map[string]string{
	resources.WorkPlans: `{"title": "a", "acceptance": ["b"]}`, resources.Tasks: `{"workPlan": "a", "expectedOutput": "b"}`,
	resources.Anchors: `{"content": "a"}`, resources.Mems: `{"content": "a"}`, resources.Roles: `{}`,
	resources.Triggers: `{"event": "error", "action": "warn"}`, resources.Delegations: `{"task": "a", "from": "b", "to": "c"}`,
	resources.Artifacts:  `{"path": "docs/plan.md"}`,
	resources.ChainRules: `{"level": "WARN", "when": {"tools": ["write"]}, "requires": [{"files": ["go.mod"]}]}`, resources.Sessions: `{"host": "claude-code"}`, resources.Trajectories: `{}`,
	resources.Decisions: `{"title": "a"}`, resources.Comments: `{"about": "task/a", "body": "b"}`,
	resources.Configs: `{}`, resources.Shell: `{}`,
}

func readNewer(t *testing.T) *resources.Task {
	o, _, err := resources.Read(foo, []byte(newerTask))
	require.NoError(t, err)
	return o.(*resources.Task)
}

func encoded(t *testing.T, o resources.Object) string {
	data, err := resources.Encode(o)
	require.NoError(t, err)
	return string(data)
}

func TestAFileWithUnknownFieldsIsKeptByteForByte(t *testing.T) {
	task := readNewer(t)
	assert.Equal(t, newerTask, encoded(t, task))
	assert.Equal(t, newerTask, encoded(t, resources.Clone(task)))
	var fields []string
	for _, u := range task.Head().Unknown() {
		fields = append(fields, u.Field())
	}
	assert.Equal(t, []string{"metadata.generation", "spec.temporalGate.until", "spec.evidence[].weight", "spec.budget", "sync"}, fields)
}

func TestWhatIsGivenIsStrictWhereWhatIsReadIsNot(t *testing.T) {
	for _, kind := range resources.Kinds() {
		key := resources.Key{Kind: kind.Plural, Name: "x"}
		if kind.Single {
			key.Name = kind.Plural
		}
		text := func(more string) []byte { return []byte(`{"spec": ` + kindSeeds[kind.Plural] + more + `}`) }
		_, _, err := resources.Read(key, text(""))
		require.NoError(t, err, kind.Name)
		for _, more := range []string{`, "zzzzzzzz": [{"a": 1}]`, `, "metadata": {"zzzzzzzz": 1}`} {
			_, _, err = resources.Decode(key, text(more))
			assert.ErrorContains(t, err, "zzzzzzzz: unknown field; remove it", kind.Name)
			o, _, err := resources.Read(key, text(more))
			if kind.Forbids {
				assert.ErrorContains(t, err, "zzzzzzzz: unknown field; remove it", kind.Name)
				continue
			}
			require.NoError(t, err, kind.Name)
			again, _, err := resources.Read(key, []byte(encoded(t, o)))
			require.NoError(t, err, kind.Name)
			assert.Equal(t, encoded(t, o), encoded(t, again))
			assert.Len(t, again.Head().Unknown(), 1)
		}
		for _, wrong := range []string{`, "metadat": {}`, `, "Metadata": {}`, `, "metadaat": 1`, `, "metadata": {"labesl": {}}`} {
			_, _, err = resources.Read(key, text(wrong))
			assert.Error(t, err, "%s %s", kind.Name, wrong)
		}
	}
}

func TestReadingRefusesWhatIsLikelyAMistake(t *testing.T) {
	for in, want := range map[string]string{
		`{"spec": {"workPlan": "a", "expectedOutput": "b", "dependOn": ["c"]}}`:            `spec.dependOn: unknown field; did you mean "dependsOn"?`,
		`{"spec": {"workPlan": "a", "expectedOutput": "b", "dependson": ["c"]}}`:           `spec.dependson: unknown field: names are case-sensitive; write "dependsOn"`,
		`{"spec": {"workPlan": "a", "expectedOutput": "b", "fileLokcs": ["c"]}}`:           `spec.fileLokcs: unknown field; did you mean "fileLocks"?`,
		`{"spec": {"workPlan": "a", "expectedOutput": "b", "temporalGate": {"atfer":""}}}`: `spec.temporalGate.atfer: unknown field; did you mean "after"?`,
		`{"spec": {"workPlan": "a", "expectedOutput": "b", "zzzzz": 1, "zzzzz": 2}}`:       `spec.zzzzz: duplicate name; keep one of the two`,
		`{"spec": {"workPlan": "a", "expectedOutput": "b", "zzzzz": {"a": tru}}}`:          `spec.zzzzz.a: a value was expected, found 't'`,
		`{"spec": {"workPlan": 7, "expectedOutput": "b", "zzzzz": 1}}`:                     `spec.workPlan: a string is expected, found a number`,
	} {
		_, _, err := resources.Read(foo, []byte(in))
		assert.ErrorContains(t, err, want, in)
	}
	_, _, err := resources.Read(foo, []byte(`{"spec": {"workPlan": "a", "expectedOutput": "b", "colour": "red", "dependsOnAll": 1}}`))
	assert.NoError(t, err, "three letters away is another word")
}

func TestAModeThatIsNotKnownIsAnError(t *testing.T) {
	config := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	for _, mode := range []string{`"lenient"`, `{"default": "off"}`, `7`} {
		_, _, err := resources.Read(config, []byte(`{"spec": {"newThing": 1, "mode": `+mode+`}}`))
		assert.ErrorContains(t, err, "spec.mode", mode)
	}
	_, _, err := resources.Read(config, []byte(`{"version": "2", "governance": {"level": "strict"}}`))
	assert.ErrorContains(t, err, "settings of iDumb v1 or v2")
}

func TestUnknownFieldsStayWithWhatTheyStandIn(t *testing.T) {
	change := func(f func(*resources.TaskSpec)) string {
		task := resources.Clone(readNewer(t)).(*resources.Task)
		f(&task.Spec)
		return encoded(t, task)
	}
	moved := change(func(s *resources.TaskSpec) { s.Evidence[0], s.Evidence[1] = s.Evidence[1], s.Evidence[0] })
	assert.Contains(t, moved, "\"file\": \"b.go\",\n        \"weight\": 1.50\n      },\n      {\n        \"file\": \"a.go\"\n      }")
	edited := change(func(s *resources.TaskSpec) { s.Evidence[1].File = "c.go" })
	assert.Contains(t, edited, "\"file\": \"c.go\",\n        \"weight\": 1.50\n")
	removed := change(func(s *resources.TaskSpec) { s.Evidence = s.Evidence[:1] })
	assert.NotContains(t, removed, "weight")
	assert.Contains(t, removed, "12345678901234567890")
	assert.NotContains(t, change(func(s *resources.TaskSpec) { s.TemporalGate = nil }), "until")

	config := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	o, _, err := resources.Read(config, []byte(`{"spec": {"language": {"comments": "de"}, "controller": {"niceness": 5}}}`))
	require.NoError(t, err)
	assert.Contains(t, encoded(t, o), `"language": {
      "comments": "de"
    },
    "controller": {
      "niceness": 5
    }
`, "an object of which nothing is known is not left out")
	o.(*resources.Config).Spec.Language.Documents = "en"
	assert.Contains(t, encoded(t, o), `"documents": "en",
      "comments": "de"`)
}

func TestDecodeOverTakesWhatTheFileHasAndNothingElse(t *testing.T) {
	before := readNewer(t)
	same := strings.NewReplacer(`1.50`, `1.5`, `   "hours" : [1, 2.0]`, `"hours":[1,2]`).Replace(newerTask)
	o, _, err := resources.DecodeOver(foo, []byte(same), before)
	require.NoError(t, err)
	assert.Equal(t, newerTask, encoded(t, o), "what means the same keeps its bytes")

	o, _, err = resources.DecodeOver(foo, []byte(strings.Replace(newerTask, `"until": "2027-01-01"`, `"until": "2028-01-01"`, 1)), before)
	require.NoError(t, err)
	assert.Contains(t, encoded(t, o), "2028-01-01")

	o, _, err = resources.DecodeOver(foo, []byte(goodTask), before)
	require.NoError(t, err)
	assert.True(t, o.Head().Complete())
	assert.Empty(t, o.Head().Unknown())
	resources.KeepUnknown(o, before)
	assert.Contains(t, encoded(t, o), `"budget": {"tokens":12345678901234567890,   "hours" : [1, 2.0]}`)

	_, _, err = resources.DecodeOver(foo, []byte(strings.Replace(newerTask, `"sync"`, `"snyc"`, 1)), before)
	assert.ErrorContains(t, err, "snyc: unknown field")
}

// FuzzRead: whatever stands in a file, reading does not panic, and what is read and written
// again has every field that is not known byte for byte, and stays as it is from then on.
func FuzzRead(f *testing.F) {
	f.Add(byte(1), []byte(newerTask))
	f.Add(byte(1), []byte(`{"spec": {"evidence": ["x", {"file": "a", "q": {}}, {"q": "\u00e9\ud800"}], "result": {"zz": 1, "verified": [{"w": [[]]}]}}, "metadata": {"n\u0061m": 1}}`))
	f.Add(byte(10), []byte(`{"spec": {"language": {"z": 1}, "controller": {"y": 2}}, "metadata": {"x": 3}}`))
	for _, c := range badInputs() {
		f.Add(byte(1), []byte(c.in))
	}
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		kinds := resources.Kinds()
		key := resources.Key{Kind: kinds[int(which)%len(kinds)].Plural, Name: "foo"}
		o, _, err := resources.DecodeFile(key, data)
		if _, _, strict := resources.Decode(key, data); strict == nil {
			require.NoError(t, err, "what is valid when given is valid when read")
		}
		if err != nil {
			return
		}
		text := encoded(t, o)
		again, _, err := resources.DecodeFile(key, []byte(text))
		require.NoError(t, err, text)
		require.Equal(t, text, encoded(t, again))
		require.Len(t, again.Head().Unknown(), len(o.Head().Unknown()), text)
		over, _, err := resources.DecodeOver(key, []byte(text), o)
		require.NoError(t, err, text)
		require.Equal(t, text, encoded(t, over))
	})
}

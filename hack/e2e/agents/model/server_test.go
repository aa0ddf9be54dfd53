package model_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

func start(t *testing.T, lanes ...model.Lane) *model.Server {
	t.Helper()
	s, err := model.Start(filepath.Join(t.TempDir(), "requests.jsonl"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	s.Play(lanes...)
	return s
}

func post(t *testing.T, s *model.Server, path, body string, header ...string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.URL()+path, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s", answer)
	return string(answer)
}

// asked is the same conversation in each dialect: a prompt, a tool call of the
// model's and its result.
var asked = map[string]string{
	"/v1/messages": `{"model":"m","stream":true,"system":[{"type":"text","text":"be good"}],"tools":[{"name":"Write"}],"messages":[
		{"role":"user","content":"please"},
		{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Write","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"denied"}]}]}]}`,
	"/v1/chat/completions": `{"model":"m","stream":true,"tools":[{"type":"function","function":{"name":"Write"}}],"messages":[
		{"role":"system","content":"be good"},{"role":"user","content":"please"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"Write","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"1","content":"denied"}]}`,
	"/v1/responses": `{"model":"m","stream":true,"instructions":"be good","tools":[{"type":"function","name":"Write"}],"input":[
		{"type":"message","role":"user","content":[{"type":"input_text","text":"please"}]},
		{"type":"function_call","name":"Write","call_id":"1","arguments":"{}"},
		{"type":"function_call_output","call_id":"1","output":"denied"}]}`,
}

func TestEveryDialectIsReadAndAnswered(t *testing.T) {
	for path, body := range asked {
		t.Run(path, func(t *testing.T) {
			s := start(t, model.Lane{Name: "main", Steps: []model.Step{
				model.Use(model.Call{Tool: "Read", Input: map[string]any{"file": "a <b>"}}).Wanting("denied").Rejecting("please"),
			}})
			answer := post(t, s, path, body)
			assert.Contains(t, answer, `"Read"`)
			assert.Empty(t, s.Problems())
			require.Len(t, s.Requests(), 1)
			r := s.Requests()[0]
			assert.Equal(t, "be good", strings.TrimSpace(r.System))
			assert.Contains(t, r.First(), "please")
			assert.True(t, r.Offers("Write"))
			assert.JSONEq(t, body, string(r.Body))
		})
	}
}

func TestStreamsAreEventsOfJSON(t *testing.T) {
	for path, body := range asked {
		s := start(t, model.Lane{Name: "main", Steps: []model.Step{{Turn: model.Turn{
			Text: "now", Calls: []model.Call{{Tool: "Read"}, {Tool: "apply_patch", Freeform: "x"}}, InputTokens: 12345,
		}}}})
		answer := post(t, s, path, body)
		assert.Contains(t, answer, "12345", "%s reports what it was told to", path)
		for line := range strings.Lines(answer) {
			data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
			if ok && data != "[DONE]" {
				assert.True(t, json.Valid([]byte(data)), "%s: %s", path, data)
			}
		}
	}
}

func TestWhatIsMissingIsAProblem(t *testing.T) {
	s := start(t, model.Lane{Name: "main", Steps: []model.Step{
		model.Say("one").Wanting("granted").Rejecting("denied"),
		model.Say("two"),
	}})
	post(t, s, "/v1/messages", asked["/v1/messages"])
	problems := strings.Join(s.Problems(), "\n")
	assert.Contains(t, problems, `was not sent "granted"`)
	assert.Contains(t, problems, `was sent "denied"`)
	assert.Contains(t, problems, `"main" ended after 1 of 2 steps`)
}

func TestTheFirstLaneThatMatchesAnswers(t *testing.T) {
	s := start(t,
		model.Lane{Name: "sub", Match: func(r *model.Request) bool { return r.Subagent() != "" }, Steps: []model.Step{model.Say("from the subagent")}},
		model.Lane{Name: "main", Steps: []model.Step{model.Say("from the main agent")}, Rest: model.Say("nothing more")},
	)
	body := asked["/v1/messages"]
	assert.Contains(t, post(t, s, "/v1/messages", body), "from the main agent")
	assert.Contains(t, post(t, s, "/v1/messages", body, "x-claude-code-agent-id", "a1"), "from the subagent")
	assert.Contains(t, post(t, s, "/v1/messages", body), "nothing more")
	assert.Empty(t, s.Problems())
}

func TestNothingBeyondLoopbackIsReached(t *testing.T) {
	s := start(t)
	request, err := http.NewRequest(http.MethodGet, "http://example.invalid/telemetry", nil)
	require.NoError(t, err)
	through := http.Client{Transport: &http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return url.Parse(s.URL()) }}}
	response, err := through.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, http.StatusForbidden, response.StatusCode)
	assert.Equal(t, []string{"example.invalid/telemetry"}, s.Refused())
}

func TestASystemPromptIsNewUntilItHasBeenSaid(t *testing.T) {
	s := start(t)
	for _, system := range []string{"one", "one", "two"} {
		post(t, s, "/v1/chat/completions", `{"model":"m","messages":[{"role":"system","content":"`+system+`"},{"role":"user","content":"go on"}]}`, "x-session-id", "a")
	}
	post(t, s, "/v1/chat/completions", `{"model":"m","messages":[{"role":"system","content":"two"},{"role":"user","content":"go on"}]}`, "x-session-id", "b")
	var fresh []string
	for _, r := range s.Requests() {
		fresh = append(fresh, r.New())
	}
	assert.Equal(t, []string{"one\n\ngo on", "go on", "two\n\ngo on", "two\n\ngo on"}, fresh)
}

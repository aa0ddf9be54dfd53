package hosts

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzReadObject holds readObject to encoding/json.
func FuzzReadObject(f *testing.F) {
	for _, text := range append(seenLines(f, "claude-2.1.329.jsonl"), `{"hook_event_name":"PreToolUse"`, `[]`, `null`, ``, `{"a":1,"b":[{"c":"]}\""}],"a":null , "\u0061b" : -1e3}`, `{}`, ` { } `, "{\"\xff\":\"\xff\"}") {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		wantErr := json.Unmarshal(text, &want)
		got, err := ReadObject(text)
		if wantErr != nil || want == nil {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.Len(t, got, len(want))
		for key, value := range want {
			assert.Equal(t, string(value), string(got[key]))
			var s string
			_ = json.Unmarshal(value, &s)
			assert.Equal(t, s, got.Text(key))
		}
	})
}

func TestItems(t *testing.T) {
	o, err := ReadObject([]byte(`{"a": ["x", {"b": [1, "]"]}, 2 ,[]], "b": [ ], "c": "x"}`))
	require.NoError(t, err)
	assert.Equal(t, []json.RawMessage{[]byte(`"x"`), []byte(`{"b": [1, "]"]}`), []byte("2"), []byte("[]")}, Items(o["a"]))
	assert.Empty(t, Items(o["b"]))
	assert.Empty(t, Items(o["c"]))
	assert.Empty(t, Items(o["d"]))
}

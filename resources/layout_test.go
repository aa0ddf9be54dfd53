package resources

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// indented is what layOut has to equal.
func indented(t *testing.T, line []byte) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Indent(&b, line, "", "  "))
	return b.String()
}

func TestLayOutIsJSONIndent(t *testing.T) {
	for _, line := range []string{
		`{}`, `[]`, `null`, `"a"`, `-1.5e3`, `{"a":{}}`, `[[],{}]`, `{"a":[1,true,{"b":null}],"c":"d"}`,
		`{"a":"\\"}`, `{"a":"\\\""}`, `{"a":"{[,:]}\"\n"}`, `{"\\\"":["\u2028",""]}`, "{}\n",
	} {
		assert.Equal(t, indented(t, []byte(line)), string(layOut([]byte(line))), line)
	}
}

func FuzzLayOut(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\\\"",{}],"b":"c"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var line bytes.Buffer
		if json.Compact(&line, data) != nil {
			return
		}
		assert.Equal(t, indented(t, line.Bytes()), string(layOut(line.Bytes())))
	})
}

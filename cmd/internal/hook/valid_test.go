package hook

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestValid(t *testing.T) {
	for _, text := range []string{
		"", " ", "{}", " [ ] ", "[1,]", "[,1]", `{"a":1,}`, `{"a" 1}`, `{a:1}`, `{"a":1}x`, "null", "nul", "truefalse", "tru", `"`, `"a`, `"a"`, "\"a\nb\"", "\"12345678\x1f\"",
		`"\u12aF"`, `"\u12g4"`, `"\u12"`, `"\x"`, `"\`, `"12345678\"90"`, "\"12345678\xff\xc3 \u00fc90\"", "0", "-0", "01", "-", "1.", ".5", "1.5e", "1.5E+10", "1e5", "+1", "1 2", "[1 2]", "{]", "[}",
		"\v1", "\u00a01", "[\"a\",{\"b\":[null,true,false,-1.25e-3]}]", "a", "\x00", "1\x00", "{\"\x7f\": 1}",
	} {
		assert.Equal(t, json.Valid([]byte(text)), valid([]byte(text)), "%q", text)
	}
	for _, deep := range []int{9999, 10000, 10001} {
		text := []byte(strings.Repeat("[", deep) + strings.Repeat("]", deep))
		assert.Equal(t, json.Valid(text), valid(text), deep)
	}
}

// FuzzValid holds valid to encoding/json.
func FuzzValid(f *testing.F) {
	for _, text := range append(claudeEventsSeen, `{"a":1,"b":[{"c":"]}\""}],"a":null , "\u0061b" : -1e3}`, "{\"\xff\":\"\xff\"}", `["12345678\n12345678\\", 0.5]`) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		assert.Equal(t, json.Valid(text), valid(text))
	})
}

func BenchmarkValid(b *testing.B) {
	text := []byte(`{"content":"` + strings.Repeat(`\tif err != nil {\n\t\treturn \"x\"\n`, 500) + `"}`)
	for name, check := range map[string]func([]byte) bool{"ours": valid, "encoding/json": json.Valid} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				check(text)
			}
		})
	}
}

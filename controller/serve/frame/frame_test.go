package frame

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var asked = Question{
	Host: "claude", Version: "v1.2.3", Cwd: "/home/ann/my shop",
	Env:   []string{"HOME=/home/ann", "IDUMB_TRUST=a=b:c", "TMPDIR="},
	Event: []byte("{\"tool\":\n\n\"Write\"}\n"),
}

const askedText = "IDUMB/1 claude v1.2.3\ncwd=/home/ann/my shop\nHOME=/home/ann\nIDUMB_TRUST=a=b:c\nTMPDIR=\n\n{\"tool\":\n\n\"Write\"}\n"

func whole(t *testing.T, q Question) []byte {
	head, err := q.AppendHead(nil)
	require.NoError(t, err)
	return append(head, q.Event...)
}

func TestAQuestionThereAndBack(t *testing.T) {
	assert.Equal(t, askedText, string(whole(t, asked)))
	got, err := ParseQuestion([]byte(askedText))
	require.NoError(t, err)
	assert.Equal(t, asked, got)

	bare := Question{Host: "codex", Cwd: "/", Event: []byte{}}
	got, err = ParseQuestion(whole(t, bare))
	require.NoError(t, err)
	assert.Equal(t, bare, got)
}

func TestWhatCannotBeSaidIsNotAsked(t *testing.T) {
	for name, q := range map[string]Question{
		"a variable of two lines":    {Host: "claude", Cwd: "/", Env: []string{"HOME=/a\n\n{}"}},
		"a folder of two lines":      {Host: "claude", Cwd: "/a\nHOME=/b"},
		"a version of two words":     {Host: "claude", Version: "1 2", Cwd: "/"},
		"no host":                    {Cwd: "/"},
		"a variable that is no pair": {Host: "claude", Cwd: "/", Env: []string{"HOME"}},
		"one that does not decide":   {Host: "claude", Cwd: "/", Env: []string{"PATH=/bin"}},
		"too much of it":             {Host: "claude", Cwd: "/", Env: []string{"HOME=" + strings.Repeat("x", MaxHead)}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := q.AppendHead(nil)
			assert.Error(t, err)
		})
	}
}

func TestWhatIsNoQuestion(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		says string
	}{
		"nothing":                    {"", "no end of its head"},
		"another protocol":           {strings.Replace(askedText, "/1", "/2", 1), ErrProtocol.Error()},
		"another, without an end":    {"IDUMB/01 claude v1\n", ErrProtocol.Error()},
		"HTTP":                       {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", ErrProtocol.Error()},
		"a head that was cut":        {askedText[:30], "no end of its head"},
		"no folder":                  {"IDUMB/1 claude v1\nHOME=/\n\n{}", "names no directory"},
		"two fields":                 {"IDUMB/1 claude\ncwd=/\n\n{}", "first line"},
		"no pair":                    {"IDUMB/1 claude v1\ncwd=/\nHOME\n\n{}", "not NAME=value"},
		"a variable of a newer hook": {"IDUMB/1 claude v1\ncwd=/\nNEWER=1\n\n{}", `"NEWER" affects`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseQuestion([]byte(test.text))
			assert.ErrorContains(t, err, test.says)
		})
	}
}

func TestAnAnswerThereAndBack(t *testing.T) {
	a := Answer{Exit: 2, Stdout: []byte("{\"a\":\n1}"), Stderr: []byte("no\n")}
	text, err := a.Append(nil)
	require.NoError(t, err)
	assert.Equal(t, "OK 2 8 3\n{\"a\":\n1}no\n", string(text))
	got, err := ParseAnswer(text)
	require.NoError(t, err)
	assert.Equal(t, a, got)
	for cut := range text {
		_, err := ParseAnswer(text[:cut])
		assert.ErrorIs(t, err, ErrShort, cut)
	}
	_, err = ParseAnswer(append(text, 'x'))
	assert.NotErrorIs(t, err, ErrShort)
	assert.Error(t, err)

	_, err = (&Answer{Exit: 256}).Append(nil)
	assert.Error(t, err)
}

func TestWhatIsNoAnswer(t *testing.T) {
	for _, text := range []string{
		"NO broke\n", "NO", "X", "OK\n", "OK 0 1\n", "OK 0 0 0 0\n", "OK 256 0 0\n", "OK 0 -1 0\n", "OK 0 +1 0\n", "OK 00 0 0\n", "OK  0 0\n",
		"OK 0 99999999999 0\n", "OK 0 9999999999999999999999 0\n", "HTTP/1.1 400 Bad Request\r\n", "OK 0 " + strings.Repeat("0", 100), "\n", "OKAY",
	} {
		_, err := ParseAnswer([]byte(text))
		require.Error(t, err, text)
		assert.NotErrorIs(t, err, ErrShort, text)
	}
	assert.Equal(t, "NO it is a hard day\n", string(AppendNo(nil, "it is\na hard day")))
	for text, want := range map[string]error{"IDUMB/0": ErrOlder, "IDUMB/1": nil, "IDUMB/2": ErrNewer, "IDUMB/12": ErrNewer, "IDUMB/": nil, "IDUMB/x": nil} {
		_, err := ParseAnswer(AppendNo(nil, "frame: the question is not asked in protocol "+text))
		require.Error(t, err)
		for _, e := range []error{ErrOlder, ErrNewer} {
			assert.Equal(t, e == want, errors.Is(err, e), text)
		}
	}
	_, err := ParseAnswer(AppendNo(nil, "it broke"))
	assert.ErrorContains(t, err, "it broke")
}

func TestOnlyWhatDecidesIsSent(t *testing.T) {
	assert.Equal(t, []string{"HOME=/a", "IDUMB_ENFORCE=log"}, RelevantEnv([]string{"PATH=/bin", "HOME=/a", "odd", "XIDUMB_A=1", "IDUMB_ENFORCE=log"}))
	env := []string{"HOME=/a", "HOME=/b", "TMPDIR="}
	assert.Equal(t, "/b", Getenv(env, "HOME"))
	assert.Empty(t, Getenv(env, "TMPDIR"))
	assert.Empty(t, Getenv(env, "HOM"))
}

// TestLinksLittle: the hook links this package at every tool call.
func TestLinksLittle(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	for _, heavy := range []string{"net", "fmt", "encoding/json", "reflect", "regexp", "os"} {
		assert.NotContains(t, strings.Fields(string(out)), heavy)
	}
}

// FuzzQuestion: whatever comes in, what is understood says the same again.
func FuzzQuestion(f *testing.F) {
	f.Add([]byte(askedText))
	f.Add([]byte("IDUMB/1 claude -\ncwd=/\n\n"))
	f.Add([]byte("IDUMB/2 claude v1\ncwd=/\n\n{}"))
	f.Add([]byte("IDUMB/1 claude v1\ncwd=/\nHOME=/\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		q, err := ParseQuestion(data)
		if err != nil {
			return
		}
		head, err := q.AppendHead(nil)
		require.NoError(t, err)
		assert.Equal(t, string(data), string(append(head, q.Event...)))
	})
}

// FuzzAnswer: the same, and no beginning of an answer is taken for one.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("OK 0 2 1\n{}x"))
	f.Add([]byte("NO broke\n"))
	f.Add([]byte("OK 0 5 1\n{}x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ParseAnswer(data)
		if err != nil {
			return
		}
		text, err := a.Append(nil)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(data, text))
		if len(data) > 0 {
			_, err = ParseAnswer(data[:len(data)-1])
			assert.ErrorIs(t, err, ErrShort)
		}
	})
}

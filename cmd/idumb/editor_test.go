package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

func editWith(command, content string, save func(string) error) error {
	e := textEditor{Command: command, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}
	return e.Edit(context.Background(), editedText{
		Subject: `tasks.idumb.dev "foo"`, Extension: ".yaml", Content: []byte(content),
		Save: func(_ context.Context, b []byte) (bool, error) { return false, save(string(b)) },
	})
}

func TestEditSaves(t *testing.T) {
	var got string
	err := editWith("sed -i s/one/two/", "# kept: is not content\na: one # two\n", func(s string) error { got = s; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if want := "a: two # two\n"; got != want {
		t.Errorf("saved %q; want %q", got, want)
	}
}

func TestEditCancelled(t *testing.T) {
	tests := []struct {
		name, command string
		want          editCancelled
	}{
		{"left as it was", "true", editUnchanged},
		{"emptied", ": >", Emptied},
		{"only comments left", "sed -i '/^[^#]/d'", Emptied},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := editWith(test.command, "a: one\n", func(string) error { t.Error("saved"); return nil })
			if err != test.want {
				t.Errorf("got %v; want %v", err, test.want)
			}
		})
	}
}

// A refused text opens again with the reason; saved unchanged it is kept in a file.
func TestEditRefused(t *testing.T) {
	saves := 0
	err := editWith("sed -i s/one/two/", "a: one\n", func(string) error { saves++; return errors.New("a: no such thing\n* b: nor this") })
	var abandoned *editAbandoned
	if !errors.As(err, &abandoned) {
		t.Fatalf("got %v; want Abandoned", err)
	}
	defer os.Remove(abandoned.Copy)
	kept, _ := os.ReadFile(abandoned.Copy)
	if saves != 1 || string(kept) != "a: two\n" {
		t.Errorf("saved %d times, kept %q; want 1 and the edited text", saves, kept)
	}
}

func TestEditReopensWithReason(t *testing.T) {
	var shown string
	// The first round writes "bad", the second one, which sees the reason, "good".
	script := `edit() { if grep -q "^# \* no" "$1"; then echo good > "$1"; else echo bad > "$1"; fi; }; edit`
	err := editWith(script, "a\n", func(s string) error {
		shown += s
		if s == "bad\n" {
			return errors.New("no")
		}
		return nil
	})
	if err != nil || shown != "bad\ngood\n" {
		t.Errorf("got %v after saves of %q; want bad, then good", err, shown)
	}
}

// What the person is shown above the text is none of it.
func TestEditAbove(t *testing.T) {
	e := textEditor{Command: `see() { grep -q '^# both changed it$' "$1" && sed -i s/one/two/ "$1"; }; see`, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}
	got := ""
	err := e.Edit(context.Background(), editedText{Content: []byte("a: one\n"), Header: []string{"both changed it"}, Save: func(_ context.Context, b []byte) (bool, error) {
		got = string(b)
		return false, nil
	}})
	if want := "a: two\n"; err != nil || got != want {
		t.Errorf("saved %q, %v; want %q", got, err, want)
	}
}

func TestCommand(t *testing.T) {
	for _, test := range []struct {
		env      map[string]string
		terminal bool
		want     string
		err      error
	}{
		{map[string]string{"EDITOR": "nano"}, false, "nano", nil},
		{map[string]string{"EDITOR": "nano", "IDUMB_EDITOR": "code --wait"}, true, "code --wait", nil},
		{nil, true, "vi", nil},
		{nil, false, "", errNoEditor},
	} {
		got, err := editorCommand(func(n string) string { return test.env[n] }, test.terminal)
		if got != test.want || err != test.err {
			t.Errorf("%v, terminal %v: got %q, %v; want %q, %v", test.env, test.terminal, got, err, test.want, test.err)
		}
	}
}

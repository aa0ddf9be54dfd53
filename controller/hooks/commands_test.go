package hooks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

func TestIsRecorded(t *testing.T) {
	for line, want := range map[string]bool{
		"go test ./...": true, "go run .": false, "make": true, "makefile": false, "git commit -m x": true, "git -C d -c a=b push": true,
		"git status": false, "git": false, "git --version": false, "timeout 60 go test": true, "env A=b npm test": true, "ls": false,
		"sudo -E make install": true, "sudo -u ci make": true, "nice -n 5 go vet": true, "npx tsc": true, "nohup env A=b timeout -k 1 5 make": true, "sudo ls": false, "python -m pytest -q": true, "python x.py": false, "env": false,
	} {
		t.Run(line, func(t *testing.T) {
			assert.Equal(t, want, isRecorded(command.Unwrapped(strings.Fields(line))))
		})
	}
}

func TestCommandText(t *testing.T) {
	for _, tc := range []struct {
		name  string
		words []string
		want  string
	}{
		{"plain", []string{"go", "test", "./..."}, "go test ./..."},
		{"quoted", []string{"git", "commit", "-m", "a\nb"}, `git commit -m "a b"`},
		{"an option with a secret", []string{"x", "--api-key=abc", "--password", "abc", "y"}, "x --api-key=*** --password *** y"},
		{"a URL with a password", []string{"git", "push", "https://me:pw@host/r"}, "git push https://***@host/r"},
		{"escape sequences", []string{"make", "\x1b[31m"}, "make  [31m"},
		{"long", []string{strings.Repeat("é", 300)}, strings.Repeat("é", 98) + "..."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.want, commandText(tc.words))
		})
	}
}

func TestStartedTasks(t *testing.T) {
	for command, want := range map[string][]string{
		"idumb start x": {"x"}, "idumb -C dir start task/x": {"x"}, "idumb start tasks/x -o json": {"x", "json"}, "idumb start": nil, "idumb complete x --start y": {"y"}, "idumb complete --start=task/y x": {"y"},
		"idumb complete x": nil, "./idumb start x": nil, "idumb start workplan/x": nil, "idumb start ../x": nil, "": nil,
	} {
		t.Run(command, func(t *testing.T) {
			assert.Equal(t, want, tasksAfter("start", strings.Fields(command)))
		})
	}
}

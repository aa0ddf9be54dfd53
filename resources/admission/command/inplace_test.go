package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestFoldersThatAreRewritten: what a formatter or a fixer is given, as files and as folders with the names of
// the files that it changes there.
func TestFoldersThatAreRewritten(t *testing.T) {
	type file struct {
		name  string
		found []string
	}
	python := []string{"*.py", "*.pyi"}
	for line, want := range map[string][]file{
		"gofmt -w .":                         {{".", []string{"*.go"}}},
		"gofmt -w -r 'a -> b' src a.go":      {{"src", []string{"*.go"}}, {"a.go", nil}},
		"go fmt ./...":                       {{".", []string{"*.go"}}},
		"go fmt ./src/...":                   {{"src", []string{"*.go"}}},
		"black -l 100 src":                   {{"src", python}},
		"python3 -m isort .":                 {{".", python}},
		"ruff format":                        {{".", python}},
		"npx prettier --write 'src/**/*.ts'": {{"src", []string{"src/**.ts"}}},
		"npx prettier --write '**/*.ts'":     {{".", []string{"*.ts"}}},
		"npx prettier --write 'a/*.{x,y}'":   {{"a", nil}},
		"comby -i 'a' 'b' .go":               {{".", []string{"*.go"}}},
		"gofmt -l .":                         nil,
		"black --check .":                    nil,
		"cargo fmt --all -- --check":         nil,
		"dart format --output=none .":        nil,
		"npx eslint .":                       nil,
	} {
		var got []file
		for _, f := range Read(line, Options{}).Files {
			if !f.Unsure && !f.Product {
				got = append(got, file{f.Word.Text, f.Patterns})
			}
		}
		assert.Equal(t, want, got, line)
	}
}

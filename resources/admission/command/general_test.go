package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestProgramOf: a package or an image starts the program after which it is named.
func TestProgramOf(t *testing.T) {
	for spec, want := range map[string]string{
		"prettier": "prettier", "prettier@3": "prettier", "@biomejs/biome@1.9": "biome", "npm:prettier@3": "prettier", "jsr:@std/fmt": "fmt",
		"mvdan.cc/sh/v3/cmd/shfmt@latest": "shfmt", "github.com/a/b/v2@v2.1.0": "b", "nixpkgs#black": "black", "ruff==0.5": "ruff", "ghcr.io/a/Tool:1.2": "tool", "": "",
	} {
		assert.Equal(t, want, programOf(spec), spec)
	}
}

// TestUnknownPrograms: the options and words of a program without a table row tell what it changes, and what only
// looks like them changes nothing.
func TestUnknownPrograms(t *testing.T) {
	read := func(line string) (files []string) {
		const root = "/repo"
		for _, f := range Read(line, Options{Root: root, Dir: root, Home: "/home/me", Exists: func(name string) bool { return name == "/repo/src/a.go" || name == "/repo/src" }}).Files {
			if !f.Unsure {
				files = append(files, f.Word.Text)
			}
		}
		return files
	}
	for _, line := range []string{
		"zap --out src/a.go x", "zap --report-file=src/a.go", "zap --sink type=local,dest=src/a.go --output type=local,dest=src/a.go", "zap --fix src/a.go", "zap -i src/a.go", "zap set src/a.go k v", "zap rename -w src/a.go:3:7 n",
		"zap --rm src/a.go", "zap src/a.go -o", "add-header src/a.go", "rename s/a/b/ src/a.go", "zap -e '(spit \"src/a.go\" 1)'", "zap -- tee src/a.go", "zap sh -c 'rm src/a.go'",
	} {
		assert.Contains(t, read(line), "src/a.go", line)
	}
	for _, line := range []string{
		"zap src/a.go", "zap check --fix --dry-run src/a.go", "zap --report src/a.go", "zap --output-format json src/a.go", "zap test set src/a.go", "zap -i src/a.go --format x -o build/y --check", "write-good src/a.go", "rename -n s/a/b/ src/a.go", "check-format src/a.go", "zap -e '(slurp \"src/a.go\")'",
	} {
		assert.NotContains(t, read(line), "src/a.go", line)
	}
}

// TestCodeThatWrites: the file that code writes is the function's argument, or what it is called on.
func TestCodeThatWrites(t *testing.T) {
	for line, want := range map[string]string{
		`node -p 'require("fs").unlinkSync("src/a")'`: "src/a", `node -e 'require("node:fs").rmSync("src/a")'`: "src/a", `python3 -c "P('src/a').write_text('x')"`: "src/a",
		`ruby -e 'File.delete("b", "src/a")'`: "src/a", `Rscript -e 'writeLines("x", "src/a")'`: "src/a", `perl -e 'open(F, ">", "src/a")'`: "src/a", `groovy -e 'new File("src/a").text = "x"'`: "src/a",
		`emacs --batch --eval '(write-region "x" nil "src/a")'`: "src/a", `tclsh <<< 'open src/a w'`: "src/a", `python3 -c "open('src/a').read()"`: "", `Rscript -e 'writeLines(readLines("src/a"))'`: "", `python3 -c "import sys; sys.stdout.write('src/a')"`: "",
	} {
		if got := written(line); want == "" {
			assert.Empty(t, got, line)
		} else {
			assert.Contains(t, got, want, line)
			assert.NotContains(t, got, "fs", line)
		}
	}
	assert.Equal(t, "unknown-files", Read(`python3 -c "open('sr'+'c/a','w')"`, Options{Exists: func(string) bool { return false }}).Verdict.Rule)
}

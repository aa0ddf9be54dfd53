package edges_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/eval/edges"
)

// Declarations of modules are held against the files that rustc reads, though the crate does not compile.
func TestRust(t *testing.T) {
	if err := exec.Command("cargo", "--version").Run(); err != nil { // .ci/run installs it
		t.Skip("no cargo that runs")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nextra = []\n",
		"src/lib.rs": "mod cart;\n#[path = \"apart.rs\"]\nmod tests;\n#[cfg(feature = \"extra\")]\nmod extra;\nwrapped! { mod unseen; }\nuse nothere::Thing;\n", "src/cart/mod.rs": "mod line;\n", "src/cart/line.rs": "", "src/extra.rs": "", "src/apart.rs": "",
		"tests/all.rs": "mod common;\n", "tests/common/mod.rs": "",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	var out strings.Builder
	known, err := edges.Run([]string{"edges-rust", "-v", "5", dir}, &out)
	require.NoError(t, err)
	assert.True(t, known)
	assert.Contains(t, out.String(), "3 files       4 edges  recall 1.00000  precision 1.00000")
}

// Where nothing can be judged nothing is called right.
func TestRustWithoutACompiler(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out strings.Builder
	_, err := edges.Run([]string{"edges-rust", t.TempDir()}, &out)
	assert.ErrorContains(t, err, "cargo")
	assert.NotContains(t, out.String(), "1.00000")
}

// The cargo that rustup leaves without a toolchain fails, and nothing is judged.
func TestRustWithoutAToolchain(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cargo"), []byte("#!/bin/sh\nexit 1\n"), 0o755))
	t.Setenv("PATH", dir)
	_, err := edges.Run([]string{"edges-rust", t.TempDir()}, &strings.Builder{})
	assert.ErrorContains(t, err, "cargo --version")
}

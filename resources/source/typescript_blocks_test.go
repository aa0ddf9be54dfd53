package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const component = `<!-- <script> const no = 1 </script> -->
<script lang="ts" generic="T extends Record<string, number>">
import Other from './Other.vue'
export const limit = 3
</script>
<template><p>{{ a < b }} const no = 2 it's</p></template>
<SCRIPT setup>
function login() {
  return "</p>"
}
</SCRIPT >
<script type="application/json">{"const no": 3</script>
<style>a { b: c } /* const no = 4 */</style>
`

func TestComponents(t *testing.T) {
	facts := Scan("a.vue", []byte(component))
	assert.Empty(t, facts.Partial)
	assert.Equal(t, []string{"*limit constant 4-4", "login function 8-10"}, starred(facts))
	assert.Equal(t, []Import{{From: "./Other.vue", Kind: ValueImport, Names: []string{"default"}, Line: 3}}, facts.Imports)
	assert.Equal(t, []Export{{Name: "limit", Local: "limit", Line: 4}, {Name: "default", Line: 1}}, facts.Exports)
	assert.Equal(t, 13, facts.Lines)

	facts = Scan("a.svelte", []byte("<h1>{a}</h1>\n<script module lang='tsx'>\r\n  let a = <b>c</b>\r\n</script>"))
	assert.Equal(t, []string{"a variable 3-3"}, starred(facts))
	facts = Scan("a.astro", []byte("\n---\nimport A from '../A.astro'\nconst b: A<C> = 1 // ---\n---\n<script>\nimport './d'\n</script>\n<p>---</p>\n"))
	assert.Equal(t, []string{"b constant 4-4"}, starred(facts))
	require.Len(t, facts.Imports, 2)
	assert.Equal(t, "./d", facts.Imports[1].From)
	assert.Equal(t, []Export{{Name: "default", Local: "", Line: 1}}, Scan("a.vue", []byte("<template/>")).Exports)
}

// What stands outside of scripts is not what evidence cites.
func TestFindInComponents(t *testing.T) {
	was := Find("a.vue", "login", []byte(component))
	require.True(t, was.Exists && was.Declaration)
	styled := strings.Replace(component, "b: c", "login: d", 1)
	assert.Equal(t, was.SHA256, Find("a.vue", "login", []byte(styled)).SHA256)
	changed := strings.Replace(component, `"</p>"`, `"<p>"`, 1)
	assert.NotEqual(t, was.SHA256, Find("a.vue", "login", []byte(changed)).SHA256)
	assert.False(t, Find("a.vue", "no", []byte(component)).Exists)
}

func FuzzComponents(f *testing.F) {
	f.Add(component)
	for _, text := range []string{"---", "---\n", "---\n\n---", "<script", "<script>", "<script src=>a</script", "<script type='", "<!--", "<script lang=\"sx\">\xff</"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range []string{"a.vue", "a.svelte", "a.astro"} {
			checkFacts(t, Scan(file, []byte(text)))
		}
	})
}

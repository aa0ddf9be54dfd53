//go:build !linux

package main

func programs() map[string]func() {
	return map[string]func(){"idumb": main, "idumb-controller": controller}
}

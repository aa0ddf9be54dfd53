// Empty does nothing: the floor of every process.
package main

func main() {}

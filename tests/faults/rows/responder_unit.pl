#!/usr/bin/perl
# Stands for systemd, which needs a machine of its own: does with a command what shorten.service asks for with
# KillMode=mixed, TimeoutStopSec=15 and Restart=always. Descriptor 0, the socket, stays while commands come and go.
# Usage: spawn-fcgi -n … -- responder_unit.pl RESTART_S COMMAND...
# SIGTERM stops it, and SIGHUP restarts the command, as systemctl(1) would.
use strict;
use warnings;

my ($restart_s, @command) = @ARGV;
my ($main, $order) = (0, '');

sub obey {
	my ($signal) = @_;
	$order = $signal eq 'TERM' || $order eq 'stop' ? 'stop' : 'restart';
	kill 'TERM', $main if $main;
	alarm 15;
}

sub start {
	my $pid = fork // die "fork: $!\n";
	return $pid if $pid;
	setpgrp;
	exec @command or die "$command[0]: $!\n";
}

# What is left of its processes is killed when the first one has ended.
sub run {
	$main = start();
	kill 'TERM', $main if $order eq 'stop';
	1 until waitpid($main, 0) == $main;
	kill 'KILL', -$main;
	$main = 0;
	alarm 0;
}

$SIG{$_} = \&obey for qw(TERM HUP);
$SIG{ALRM} = sub { kill 'KILL', -$main if $main };

while ($order ne 'stop') {
	$order = '';
	run();
	select undef, undef, undef, $restart_s if $order eq '';
}

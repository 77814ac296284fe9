import json,sys,subprocess
d=json.loads(subprocess.run(['/tmp/c.P1' if len(sys.argv)>3 else '/tmp/c.P0','--format','json',sys.argv[1]],capture_output=True).stdout)
for c in d['connections']: print(c['id'],c['paired_by'],[(e['address'],e['qpn']) for e in c['endpoints']],c['seen'])
for x in d['findings']:
  if x['code'] in sys.argv[2].split(','): print(x['code'],x['proof'],x['connection'],x['flow'],x['text'],x['frames'])
